import type { StateManifest } from "../../lib/lake/catalogue.ts";
import type { Deltas } from "../../lib/lake/deltas.ts";
import { stateChanges } from "../../lib/lake/state-changes.ts";
import { currentRows } from "../../lib/lake/state-files.ts";
import { stateLookup } from "../../lib/lake/state-lookup.ts";
import type { Objects } from "../../lib/world/objects.ts";
import { Violation } from "./ledger.ts";

/** At the end the state holds what one replay of everything, in order, gives. */
export const checkPersons = async (objects: Objects, project: number, state: StateManifest | null, learned: Deltas): Promise<void> => {
  const expected = await stateChanges(project, [learned], stateLookup(objects, null));
  for (const kind of ["persons", "distinctIds", "groups"] as const) {
    const found: unknown[] = [];
    for await (const row of currentRows(objects, kind, state?.[kind] ?? [])) found.push(row);
    const [said, replayed] = [text(found), text([...expected[kind]].filter(([, value]) => value !== null))];
    if (said !== replayed) throw new Violation(`${kind} of project ${project} are ${said}, a replay gives ${replayed}`);
  }
};

const text = (rows: readonly unknown[]): string =>
  rows
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value)))
    .sort()
    .join("\n");
