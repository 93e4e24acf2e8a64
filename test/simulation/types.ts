import { type Deltas, NO_DELTAS } from "../../lib/lake/deltas.ts";
import type { EventRow } from "../../lib/lake/event.ts";
import type { Fields } from "../../lib/lake/fields.ts";
import { type OwnedTypes, PROPERTY_OWNERS } from "../../lib/lake/property-owners.ts";
import { NO_TYPES, type PropertyTypes, readPropertyTypes } from "../../lib/lake/property-types.ts";
import { type TypeLearner, typeLearner } from "../../lib/lake/type-learner.ts";
import type { Table } from "../../lib/table/table.ts";
import { Violation } from "./ledger.ts";

/** Whoever sees rows knows the types of all their properties. */
export const checkTypesOfRows = (project: number, types: PropertyTypes, rows: readonly EventRow[]): void => {
  const learner = typeLearner(types);
  for (const { properties } of rows) learner.see("event", fieldsOf(properties));
  const unknown = learner.learnt(NO_DELTAS);
  if (unknown !== null) throw new Violation(`rows of project ${project} show types that it does not know: ${[...unknown.event].join()}`);
};

/** At the end the types are those that all events say, each taken once. */
export const checkTypes = async (table: Table, project: number, learner: TypeLearner, deltas: Deltas): Promise<void> => {
  const learnt = learner.learnt(deltas);
  const [said, expected] = [text((await readPropertyTypes(table, project)).of), text(learnt ?? NO_TYPES.of)];
  if (said !== expected) throw new Violation(`the types of project ${project} are ${said}, its events say ${expected}`);
};

const text = (of: OwnedTypes): string =>
  PROPERTY_OWNERS.flatMap((owner) => [...of[owner]].map(([name, type]) => `${owner} ${name} ${type}`))
    .sort()
    .join(", ");

/** Ingest stored the text of an object. */
const fieldsOf = (properties: string): Fields => JSON.parse(properties) as Fields;
