import type { Budget } from "../../lib/http/consumer.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { commitDrain } from "../../lib/lake/commit.ts";
import { decodeMessage } from "../../lib/lake/message.ts";
import type { Delivery, Verdict } from "../../lib/world/queues.ts";
import type { World } from "../../lib/world/world.ts";
import { type Gathered, gather, type Taken } from "./gather.ts";
import { keepTypes } from "./known-types.ts";
import { type Received, reasonOf } from "./received.ts";

/** Bytes of decoded events that one drain holds at most; what the messages say of themselves decides. */
const MAX_DRAIN_BYTES = 64 * 1024 * 1024;

/** No drain is begun when less than this share of the time is left. */
const LEAST_TIME_SHARE = 1 / 3;

/**
 * Stores the events of all messages, in drains of a bounded size. Names those to deliver again: of projects that could not be
 * committed, those that cannot be read, and what there was no time to begin.
 */
export const ingest = async (deliveries: readonly Delivery[], world: World, budget: Budget, lane: Commit["lane"]): Promise<Verdict> => {
  const least = budget.remainingMs() * LEAST_TIME_SHARE;
  const failed: string[] = [];
  const received = deliveries.flatMap((delivery) => decoded(delivery, world, failed));
  for (const messages of inDrains(received)) {
    if (budget.remainingMs() < least) failed.push(...messages.map(({ id }) => id));
    else failed.push(...(await drain(messages, world, lane)));
  }
  return { failed };
};

const decoded = ({ id, body, attempts }: Delivery, world: World, failed: string[]): readonly Received[] => {
  try {
    return [{ id, message: decodeMessage(body) }];
  } catch (fault) {
    failed.push(id);
    world.log.line("error", "ingest.unreadable", { message: id, attempts, ...reasonOf(fault) });
    return [];
  }
};

function* inDrains(received: readonly Received[]): Generator<readonly Received[]> {
  let drain: Received[] = [];
  let bytes = 0;
  for (const each of received) {
    if (drain.length > 0 && bytes + each.message.decodedBytes > MAX_DRAIN_BYTES) {
      yield drain;
      [drain, bytes] = [[], 0];
    }
    drain.push(each);
    bytes += each.message.decodedBytes;
  }
  if (drain.length > 0) yield drain;
}

/** Gathers and commits, project by project, and returns the ids of what has to come again. */
const drain = async (messages: readonly Received[], world: World, lane: Commit["lane"]): Promise<readonly string[]> => {
  const began = world.clock.now();
  const gathered = await gather(messages, world);
  const failed = [...gathered.failed];
  let [rows, segments, bytes] = [0, 0, 0];
  for (const taken of gathered.projects) {
    const committed = await commit(taken, world, lane);
    if (committed === undefined) failed.push(...taken.messages);
    rows += committed?.rows ?? 0;
    segments += committed?.segments ?? 0;
    bytes += committed?.bytes ?? 0;
  }
  world.log.line("info", "ingest", {
    lane,
    messages: messages.length,
    failed: failed.length,
    ...countsOf(gathered),
    rows,
    segments,
    bytes,
    duration_ms: world.clock.now() - began,
  });
  return failed;
};

const commit = async (taken: Taken, world: World, lane: Commit["lane"]) => {
  try {
    const { project, rows } = taken;
    const deltas = taken.deltas.take();
    await keepTypes(world, project, taken.types.learnt(deltas));
    return await commitDrain(world, { project, lane, rows, deltas });
  } catch (fault) {
    world.log.line("error", "ingest.uncommitted", { project: taken.project, messages: taken.messages.length, ...reasonOf(fault) });
    return undefined;
  }
};

const countsOf = ({ projects, events, dropped, unowned }: Gathered) => ({ projects: projects.length, events, dropped, unowned });
