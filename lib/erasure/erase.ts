import { forgetRows, removeKept } from "../endpoints/forget-rows.ts";
import { runTrees } from "../endpoints/tree-runs.ts";
import type { EnginePorts } from "../engine/engine.ts";
import type { Removal } from "../lake/catalogue.ts";
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
import { ownEvents } from "./leftovers/own-events.ts";
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
  const known = await knownErasure(world, project, name);
  if (known !== undefined) return resumeErasure(world, policy, project, known, budget);
  const person = await findPerson(world, project.id, name);
  if (person === undefined) return undefined;
  const begun = await begin(world, project, newErasure(world, project), person);
  return resumeErasure(world, policy, project, begun, budget);
};

/**
 * Writes down that a person is to be erased, which a job does as soon as it can. Gives the erasure that is under way, or over, where there is
 * one; undefined where nobody has the person's id.
 */
export const askErasure = async (world: EnginePorts, project: Project, personId: string): Promise<Erasure | undefined> => {
  const known = await knownErasure(world, project, { personId });
  if (known !== undefined) return known;
  if ((await findPerson(world, project.id, { personId })) === undefined) return undefined;
  const digests = digestsOf(await erasureSalt(world, project.id), [personId]);
  const asked: Erasure = { ...newErasure(world, project), state: "asked", person_id: personId, digests: [...digests] };
  await put(world.table, Erasures, asked);
  return asked;
};

/** Carries an erasure on until no query sees anything of the person. */
export const resumeErasure = async (
  world: EnginePorts,
  policy: Policy,
  project: Project,
  found: Erasure,
  budget?: Budget,
): Promise<ErasureStep> => {
  const erasure = await begunErasure(world, project, found);
  const names = erasure.state === "begun" ? await readNames(world.objects, project.id, erasure.id) : undefined;
  if (names === undefined) return { erasure, outcome: "done" };
  const parts = { ...world, rowFiles: world.engine.rowFiles };
  const removed = await removeRows(parts, policy, project.id, idsRemoval(names), budget);
  if (removed.outcome === "more") return { erasure, outcome: "more" };
  const { tables, objects } = await forgetRows(world, project.id);
  return { erasure: await goneNow(world, erasure, { tables, objects }), outcome: "done" };
};

const idsRemoval = ({ distinctIds, keepsLate }: ErasedNames): Removal => ({
  kind: "ids",
  distinctIds,
  ...(keepsLate && { late: "kept" }),
});

/** Who was asked for may have been merged into somebody else since, or be gone. */
const begunErasure = async (world: EnginePorts, project: Project, erasure: Erasure): Promise<Erasure> => {
  const { state, person_id } = erasure;
  if (state !== "asked" || person_id === null) return erasure;
  const person = await findPerson(world, project.id, { personId: person_id });
  return person === undefined ? goneNow(world, erasure, {}) : begin(world, project, erasure, person);
};

const newErasure = ({ ids, clock }: EnginePorts, { id }: Project): Erasure => ({
  project: id,
  id: ids.uuid(),
  state: "begun",
  person_id: null,
  requested_at: new Date(clock.now()).toISOString(),
  gone_at: null,
  done_at: null,
  digests: [],
  distinct_ids: 0,
  counts: NOTHING,
});

/** The names first: an erasure without them could not be gone on with. */
const begin = async (world: EnginePorts, project: Project, erasure: Erasure, person: KnownPerson): Promise<Erasure> => {
  const { issues, frames, seen } = await runTrees(world, project, async (run) => ({
    ...(await ownExceptions(run, person.distinctIds)),
    seen: await ownEvents(run, person.distinctIds),
  }));
  const distinctIds = person.distinctIds.toSorted();
  const keepsLate = project.erased_ids === "keep";
  const names = { distinctIds, keepsLate, names: [...namingValues(person.properties)], issues: [...issues], frames: [...frames] };
  await keepNames(world.objects, project.id, erasure.id, names);
  const digests = [...digestsOf(await erasureSalt(world, project.id), [person.personId, ...distinctIds])];
  const counts = { ...erasure.counts, ...seen };
  const begun: Erasure = { ...erasure, state: "begun", person_id: null, digests, distinct_ids: distinctIds.length, counts };
  await put(world.table, Erasures, begun);
  return begun;
};

/** The erasure of a person that is not over, or is over and lets nothing come again. */
const knownErasure = async (world: EnginePorts, project: Project, name: PersonName): Promise<Erasure | undefined> => {
  const salt = await erasureSalt(world, project.id);
  const [digest = ""] = digestsOf(salt, ["distinctId" in name ? name.distinctId : name.personId]);
  const known = (await erasuresOfProject(world.table, project.id)).filter(({ digests }) => digests.includes(digest));
  const isOver = project.erased_ids === "refuse" ? known.at(-1) : undefined;
  return known.find(({ state }) => state !== "done") ?? isOver;
};

const goneNow = (world: EnginePorts, { project, id, counts }: Erasure, more: Partial<Erasure["counts"]>): Promise<Erasure> => {
  const gone_at = new Date(world.clock.now()).toISOString();
  const set = { state: "gone" as const, person_id: null, gone_at, counts: { ...counts, ...more } };
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
  if (erasure?.state !== "gone") return erasure;
  if (names === undefined) return update(world.table, Erasures, key, { set: { state: "done", done_at: erasure.gone_at } });
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
