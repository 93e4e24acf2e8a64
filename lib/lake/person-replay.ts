import { type At, compareAt } from "./deltas.ts";
import { compareText, type IdLogs, type LoggedOp } from "./person-log.ts";

/** A person as the replay leaves it. Times are microseconds since 1970. */
export interface Person {
  /** The distinct_id whose hash is the person's id. */
  readonly root: string;
  readonly ids: readonly string[];
  readonly createdAt: bigint;
  readonly lastSeen: bigint;
  readonly isIdentified: boolean;
  readonly properties: ReadonlyMap<string, unknown>;
}

/** A person under way. */
interface Draft {
  readonly root: string;
  ids: string[];
  createdAt: bigint;
  isIdentified: boolean;
  properties: Map<string, unknown>;
}

/**
 * The persons of a set of logs, which has to be whole: with an id, all ids that merges tie to it. Everything is taken in the order
 * in which it happened, never in that in which it arrived.
 */
export const replay = (logs: IdLogs): readonly Person[] => {
  const byId = new Map<string, Draft>();
  for (const step of stepsOf(logs)) {
    if (step.op?.merge) merge(byId, step.op.merge.source, step.id, step.op.merge.kind === "merge_dangerously", step.at.time);
    const person = byId.get(step.id) ?? create(byId, [step.id], step.id, step.at.time);
    if (step.op) change(person.properties, step.op);
  }
  return [...new Set(byId.values())].map((draft) => ({ ...draft, lastSeen: lastSeen(draft, logs) }));
};

interface Step {
  readonly at: At;
  readonly id: string;
  readonly op: LoggedOp | null;
}

/** What happened, in order; at one event its operation comes before the mere sight of its id. */
const stepsOf = (logs: IdLogs): readonly Step[] => {
  const steps: Step[] = [];
  for (const [id, { seen, ops }] of logs) {
    for (const op of ops) steps.push({ at: op.at, id, op });
    if (seen) steps.push({ at: seen.first, id, op: null });
  }
  return steps.sort((a, b) => compareAt(a.at, b.at) || Number(a.op === null) - Number(b.op === null) || compareText(a.id, b.id));
};

const create = (byId: Map<string, Draft>, ids: string[], root: string, createdAt: bigint): Draft => {
  const person: Draft = { root, ids, createdAt, isIdentified: false, properties: new Map() };
  for (const id of ids) byId.set(id, person);
  return person;
};

/** Merges one id into another. Whoever is merged into is identified from then on, also where the merge is refused. */
const merge = (byId: Map<string, Draft>, from: string, into: string, dangerously: boolean, time: bigint): void => {
  const source = byId.get(from);
  const target = byId.get(into);
  const person = target ?? source ?? create(byId, [into, from], into, time);
  if (source === undefined || target === undefined) join(byId, person, [into, from]);
  else if (source !== target && (dangerously || !source.isIdentified)) {
    target.properties = new Map([...source.properties, ...target.properties]);
    if (source.createdAt < target.createdAt) target.createdAt = source.createdAt;
    join(byId, target, source.ids);
  }
  person.isIdentified = true;
};

const join = (byId: Map<string, Draft>, person: Draft, ids: readonly string[]): void => {
  for (const id of ids) {
    if (byId.get(id) === person) continue;
    byId.set(id, person);
    person.ids.push(id);
  }
};

const change = (properties: Map<string, unknown>, { set, setOnce, unset }: LoggedOp): void => {
  for (const [key, value] of Object.entries(setOnce ?? {})) if (!properties.has(key)) properties.set(key, value);
  for (const [key, value] of Object.entries(set ?? {})) properties.set(key, value);
  for (const key of unset ?? []) properties.delete(key);
};

/** Every person has an id that was seen: an operation belongs to an event, and its id is seen with it. */
const lastSeen = ({ ids, createdAt }: Draft, logs: IdLogs): bigint => {
  let last: bigint | null = null;
  for (const id of ids) {
    const seen = logs.get(id)?.seen;
    if (seen && (last === null || seen.last > last)) last = seen.last;
  }
  return last ?? createdAt;
};
