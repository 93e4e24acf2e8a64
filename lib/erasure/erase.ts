import { removeKept, forgetRows } from "../endpoints/forget-rows.ts";
import type { EnginePorts } from "../engine/engine.ts";
import { findPerson, type KnownPerson, type PersonName } from "../lake/person-ids.ts";
import type { Policy } from "../lake/policy.ts";
import { removeRows } from "../lake/remove-rows.ts";
import type { Budget } from "../ports/system.ts";
import type { Project } from "../projects/projects.ts";
import { get, put, update } from "../table/store.ts";
import { digestsOf, type Erasure, Erasures, erasureSalt, erasuresOfProject } from "./erasures.ts";
import { redactExceptions } from "./leftovers/error-tracking.ts";
import { emptiedIssues, ownExceptions } from "./leftovers/exceptions.ts";
import { eraseFromDeadLetters, eraseFromRequests } from "./leftovers/messages.ts";
import { namingValues, redactor } from "./leftovers/redact.ts";
import { type ErasedNames, forgetNames, keepNames, readNames } from "./stored/erased-names.ts";

/** How far an erasure came: `more` where its time was over before the work, which the next call goes on with. */
export interface ErasureStep {
  readonly erasure: Erasure;
  readonly outcome: "done" | "more";
}

const NOTHING: Erasure["counts"] = { rows: 0, days: 0, months: 0, tables: 0, objects: 0, texts: 0, dead_letters: 0, messages: 0 };

/**
 * Erases a person with all their ids: no query that begins after this is `done` sees an event of theirs, or them. The rest is left to
 * `finishErasure`. The same call again goes on where one was cut off, and gives the certificate of one that is over. Undefined where
 * nobody has the person's id.
 */
export const beginErasure = async (
  world: EnginePorts,
  policy: Policy,
  project: Project,
  name: PersonName,
  budget?: Budget,
): Promise<ErasureStep | undefined> => {
  const found = await findOrBegin(world, project, name);
  if (found === undefined) return undefined;
  const { erasure, names } = found;
  if (erasure.state !== "begun" || names === undefined) return { erasure, outcome: "done" };
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const removed = await removeRows(parts, policy, project.id, { kind: "ids", distinctIds: names.distinctIds }, budget);
  if (removed.outcome === "more") return { erasure, outcome: "more" };
  const { tables, objects } = await forgetRows(world, project.id);
  const counts = { rows: removed.rows, days: Object.keys(removed.days).length, months: removed.partitions.length, tables, objects };
  return { erasure: await goneNow(world, erasure, counts), outcome: "done" };
};

/** The erasure of a person that is not over, or is over and lets nothing come again; else a new one. */
const findOrBegin = async (
  world: EnginePorts,
  project: Project,
  name: PersonName,
): Promise<{ readonly erasure: Erasure; readonly names: ErasedNames | undefined } | undefined> => {
  const salt = await erasureSalt(world, project.id);
  const known = await knownErasure(world, project, salt, name);
  if (known !== undefined) return { erasure: known, names: await readNames(world.objects, project.id, known.id) };
  const person = await findPerson(world, project.id, name);
  if (person === undefined) return undefined;
  const { issues, frames } = await ownExceptions(world, project, person.distinctIds);
  const names = { distinctIds: person.distinctIds.toSorted(), names: [...namingValues(person.properties)], issues, frames };
  const erasure: Erasure = {
    project: project.id,
    id: world.ids.uuid(),
    state: "begun",
    requested_at: new Date(world.clock.now()).toISOString(),
    gone_at: null,
    done_at: null,
    digests: [...digestsOf(salt, [...namesOf(person), ...person.distinctIds])],
    distinct_ids: person.distinctIds.length,
    counts: NOTHING,
  };
  // The names first: an erasure without them could not be gone on with.
  await keepNames(world.objects, project.id, erasure.id, { ...names, issues: [...issues], frames: [...frames] });
  await put(world.table, Erasures, erasure);
  return { erasure, names: { ...names, issues: [...issues], frames: [...frames] } };
};

const namesOf = ({ personId }: KnownPerson): readonly string[] => [personId];

const knownErasure = async (world: EnginePorts, project: Project, salt: string, name: PersonName): Promise<Erasure | undefined> => {
  const [digest = ""] = digestsOf(salt, ["distinctId" in name ? name.distinctId : name.personId]);
  const known = (await erasuresOfProject(world.table, project.id)).filter(({ digests }) => digests.includes(digest));
  const isOver = project.erased_ids === "refuse" ? known.at(-1) : undefined;
  return known.find(({ state }) => state !== "done") ?? isOver;
};

const goneNow = (world: EnginePorts, { project, id, counts }: Erasure, more: Partial<Erasure["counts"]>): Promise<Erasure> => {
  const set = { state: "gone" as const, gone_at: new Date(world.clock.now()).toISOString(), counts: { ...counts, ...more } };
  return update(world.table, Erasures, { project, id }, { set });
};

/**
 * Takes an erased person out of all that is kept beside the events: texts of error tracking, messages that were given up on, files of
 * large requests, and what queries kept that were under way. Then nothing but bytes of old files is left, which the lake deletes. Safe to
 * run again and beside itself.
 */
export const finishErasure = async (world: EnginePorts, project: Project, { id }: Pick<Erasure, "id">): Promise<Erasure | undefined> => {
  const key = { project: project.id, id };
  const erasure = await get(world.table, Erasures, key, { consistent: true });
  const names = await readNames(world.objects, project.id, id);
  if (erasure === undefined || erasure.state === "begun" || names === undefined) return erasure;
  const ids = new Set(names.distinctIds);
  const forgotten = { emptied: await emptiedIssues(world, project, names.issues), frames: new Set(names.frames) };
  const redact = redactor([...names.distinctIds, ...names.names]);
  const texts = await redactExceptions(world.table, project.id, redact, forgotten);
  const dead_letters = await eraseFromDeadLetters(world, project.id, { ids });
  const messages = await eraseFromRequests(world, project, ids);
  const objects = await removeKept(world, project.id);
  const { counts } = erasure;
  const sum = { ...counts, texts: counts.texts + texts, objects: counts.objects + objects };
  const set = {
    state: "done" as const,
    done_at: new Date(world.clock.now()).toISOString(),
    counts: { ...sum, dead_letters: counts.dead_letters + dead_letters, messages: counts.messages + messages },
  };
  const done = await update(world.table, Erasures, key, { set });
  await forgetNames(world.objects, project.id, id);
  return done;
};
