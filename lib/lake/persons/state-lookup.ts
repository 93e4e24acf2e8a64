import type { Objects } from "../../ports/objects.ts";
import type { StateManifest } from "../catalogue.ts";
import type { StateLookup } from "./state-changes.ts";
import { findRows, tiedLogs } from "./state-files.ts";

/** Looks things up in the files of a state. */
export const stateLookup = (objects: Pick<Objects, "get">, state: StateManifest | null): StateLookup => ({
  logs: (ids) => findRows(objects, "history", state?.history ?? [], ids),
  tied: () => tiedLogs(objects, state?.history ?? []),
  groups: (names) => findRows(objects, "groups", state?.groups ?? [], names),
});
