import { readPropertyTypes } from "../../lib/lake/learn-types.ts";
import { PROPERTY_OWNERS } from "../../lib/lake/property-types.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Copy } from "../model/copies.ts";
import { spokenTypesOf } from "../model/types.ts";
import { Violation } from "./ledger.ts";

/** The types that a project knows, by owner and name. */
export const typesKnown = async (table: Table, project: number): Promise<ReadonlyMap<string, string>> => {
  const { of } = await readPropertyTypes(table, project);
  return new Map(PROPERTY_OWNERS.flatMap((owner) => [...of[owner]].map(([name, type]) => [`${owner} ${name}`, type] as const)));
};

/** Whoever sees rows knows a type of each of their properties, whatever other rows said of it. */
export const checkTypesOfRows = (
  project: number,
  known: ReadonlyMap<string, string>,
  copies: readonly Copy[],
  slots: readonly string[],
): void => {
  for (const [name, types] of spokenTypesOf(copies, slots))
    if (!known.has(name))
      throw new Violation(`rows of project ${project} have ${[...types].join(" and ")} values of ${name}, which it does not know`);
};

/** At the end a type is one that the events spoke for, or text where they spoke for several; those count, too, whose copies were dropped. */
export const checkTypes = (
  project: number,
  known: ReadonlyMap<string, string>,
  sent: readonly Copy[],
  stayed: readonly Copy[],
  slots: readonly string[],
): void => {
  checkTypesOfRows(project, known, stayed, slots);
  const spoken = spokenTypesOf(sent, slots);
  for (const [name, type] of known) {
    const types = spoken.get(name) ?? new Set();
    if (!types.has(type) && (type !== "String" || types.size < 2))
      throw new Violation(`project ${project} takes ${name} for ${type}, its events say ${[...types].join(" and ")}`);
  }
};
