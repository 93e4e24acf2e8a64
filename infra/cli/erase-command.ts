import { DAY_MS } from "../../lib/core/time.ts";
import { isUuid } from "../../lib/core/uuid.ts";
import { beginErasure, finishErasure } from "../../lib/erasure/erase.ts";
import type { Erasure } from "../../lib/erasure/erasures.ts";
import type { PersonName } from "../../lib/lake/person-ids.ts";
import { policyOf } from "../../lib/lake/policy.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { confirm } from "./confirm.ts";

/** Old versions of objects and points in time to which a table can be restored are kept for so long, and bytes go a day later at most. */
const VERSIONS_MS = 35 * DAY_MS;

export const erase: Run = async ({ world }, { flags, switches }) => {
  const project = await chosenProject(world.table, flags.project);
  const name = readName(flags["distinct-id"], flags.person);
  await confirm(`A person is erased from project ${project.id}, with all their ids and events.`, switches);
  const begun = await beginErasure(world, policyOf(world.config), project, name);
  if (begun === undefined) throw new UserError(`No person of project ${project.id} has this id: give one of their distinct_ids.`);
  if (begun.outcome === "more") throw new UserError("The erasure could not be completed yet. The same command goes on with it.");
  const erasure = (await finishErasure(world, project, begun.erasure)) ?? begun.erasure;
  return { json: certificate(erasure), lines: certificateLines(erasure) };
};

const readName = (distinctId: string | undefined, person: string | undefined): PersonName => {
  if ((distinctId === undefined) === (person === undefined)) throw new UserError("Say who: --distinct-id ID or --person UUID.");
  if (distinctId !== undefined && distinctId !== "") return { distinctId };
  if (person !== undefined && isUuid(person)) return { personId: person.toLowerCase() };
  throw new UserError(distinctId === "" ? "--distinct-id is empty." : `"${person}" is no id of a person: give a UUID, or --distinct-id.`);
};

/** What was removed, and when the last byte of it is gone, without anything that says who it was. */
const certificate = ({ id, project, state, requested_at, gone_at, done_at, distinct_ids, digests, counts }: Erasure) => ({
  certificate: id,
  ...{ project, state, requested_at, gone_at, done_at, distinct_ids },
  person: digests[0] ?? "",
  removed: counts,
  files_gone_by: after(gone_at, DAY_MS),
  versions_and_backups_gone_by: after(gone_at, DAY_MS + VERSIONS_MS),
});

const after = (iso: string | null, ms: number): string | null => (iso === null ? null : new Date(Date.parse(iso) + ms).toISOString());

const certificateLines = (erasure: Erasure): readonly string[] => {
  const { removed, ...rest } = certificate(erasure);
  const rows = [...Object.entries(rest), ...Object.entries(removed).map(([kind, count]) => [`removed: ${kind}`, count] as const)];
  return columns(
    ["erasure", ""],
    rows.map(([what, value]) => [what.replaceAll("_", " "), String(value ?? "")]),
  );
};
