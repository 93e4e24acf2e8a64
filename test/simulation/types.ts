import { PROPERTY_OWNERS } from "../../lib/lake/property-types/property-owners.ts";
import { readPropertyTypes } from "../../lib/lake/property-types/property-types.ts";
import type { Table } from "../../lib/ports/table.ts";
import type { Copy } from "../model/copies.ts";
import { propertyTypesOf } from "../model/types.ts";
import { Violation } from "./ledger.ts";

/** The types that a project knows, by owner and name. */
export const typesKnown = async (table: Table, project: number): Promise<ReadonlyMap<string, string>> => {
  const { of } = await readPropertyTypes(table, project);
  return new Map(PROPERTY_OWNERS.flatMap((owner) => [...of[owner]].map(([name, type]) => [`${owner} ${name}`, type] as const)));
};

/** Whoever sees rows knows the types of all their properties. Other rows may have said more. */
export const checkTypesOfRows = (
  project: number,
  known: ReadonlyMap<string, string>,
  copies: readonly Copy[],
  slots: readonly string[],
): void => {
  for (const [name, type] of propertyTypesOf(copies, slots))
    if (known.get(name) !== type && known.get(name) !== "String")
      throw new Violation(`rows of project ${project} have the type ${type} of ${name}, which it takes for ${known.get(name)}`);
};

/** At the end the types are those that the events say, those among them that copies say which were dropped. */
export const checkTypes = (
  project: number,
  known: ReadonlyMap<string, string>,
  sent: readonly Copy[],
  stayed: readonly Copy[],
  slots: readonly string[],
): void => {
  checkTypesOfRows(project, known, stayed, slots);
  const said = propertyTypesOf(sent, slots);
  for (const [name, type] of known)
    if (said.get(name) !== type && said.get(name) !== "String")
      throw new Violation(`project ${project} takes ${name} for ${type}, its events say ${said.get(name)}`);
};
