import { jobs } from "../../../functions/jobs/consumer.ts";
import { sweeping } from "../../../functions/sweep/schedule.ts";
import { showUsage } from "../../../infra/cli/usage-command.ts";
import { MAX_DELIVERIES, visibilitySeconds } from "../../../infra/sizing.ts";
import type { World } from "../../../lib/app/world.ts";
import { settings } from "../../../lib/aws/environment.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import type { Commit } from "../../../lib/lake/catalogue.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import type { RowFiles, Shape } from "../../../lib/lake/row-files.ts";
import { consume } from "../../../lib/lambda/consumer.ts";
import { runSchedule } from "../../../lib/lambda/schedule.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryRowFiles, rowLists } from "../../simulation/ports/row-files.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { projectWrite } from "../../simulation/usage.ts";
import { keptLog } from "../kept-log.ts";
import { memoryTokenKeys } from "../memory-token-keys.ts";
import { withoutDownloads } from "../no-downloads.ts";
import { noInvocations } from "../no-invocations.ts";
import { noModel } from "../no-model.ts";
import { noReaders } from "../no-readers.ts";
import { anEventRow } from "../samples/event-rows.ts";
import { unwatchedQueues } from "../unwatched-queues.ts";
import { type Latency, slowObjects, slowTable, virtualTime } from "../virtual-time.ts";

/** 2026-11-20T12:00:00Z. */
export const NOW = Date.UTC(2026, 10, 20, 12);
const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How a merge of one shape ends: as it should, by an error, or never, as where the function was killed. */
type Merging = "works" | "fails" | "is killed";

interface Message {
  readonly id: string;
  readonly body: string;
  attempts: number;
  visibleAt: number;
}

export type LakeWorld = Awaited<ReturnType<typeof lakeWorld>>;

/** The lake's own sweep and jobs over ports in memory, with a clock and a queue that a test holds in its hands. */
export const lakeWorld = async (projects: readonly number[] = [1]) => {
  const time = virtualTime(NOW);
  const { now } = time.clock;
  const latency: Latency = { tableMs: 0, objectMs: 0 };
  let ids = 0;
  const newId = (): string => now().toString(36).padStart(10, "0") + (ids++).toString(36).padStart(16, "0");
  const stored = memoryTable();
  const objects = memoryObjects({ now });
  const log = keptLog();
  /** By project and the first UTC day of the rows. */
  const merging: Record<Shape, (project: number, day: number) => Merging> = {
    one: () => "works",
    busiest: () => "works",
    days: () => "works",
    parts: () => "works",
  };
  const merged: Record<Shape, number> = { one: 0, busiest: 0, days: 0, parts: 0 };
  const files = memoryRowFiles(objects, rowLists(), { countUsage });
  let killed = (): void => undefined;
  const rowFiles: RowFiles = {
    ...files,
    async merge(project, sources, shape, ...rest) {
      merged[shape] += 1;
      const how = merging[shape](project, sources[0]?.file.days[0] ?? 0);
      if (how === "fails") throw new Error("Out of Memory Error: failed to pin block");
      if (how === "works") return files.merge(project, sources, shape, ...rest);
      killed();
      return new Promise(() => undefined);
    },
  };
  const waiting: Message[] = [];
  const deadLetters: Message[] = [];
  let refused: (body: string) => boolean = () => false;
  const world: World = {
    table: slowTable(stored, time, latency),
    objects: withoutDownloads(slowObjects(objects, time, latency)),
    queues: {
      async send(queue, messages) {
        if (queue !== "jobs") throw new Error(`the lake sends nothing to ${queue}`);
        for (const { body, delaySeconds = 0 } of messages)
          if (!refused(body)) waiting.push({ id: `m${newId()}`, body, attempts: 0, visibleAt: now() + delaySeconds * SECOND_MS });
        return messages.filter(({ body }) => refused(body)).map(({ id }) => id);
      },
    },
    clock: time.clock,
    ids: { ulid: newId, uuid: newId, secret: (bytes) => new Uint8Array(bytes) },
    log,
    config: settings({}),
    segments: files,
    engine: { rowFiles, run: noQueries, write: noQueries, close: () => Promise.resolve() },
    counts: { add: () => Promise.reject(new Error("nothing is counted here")) },
    mail: { send: () => Promise.reject(new Error("nobody is written to here")) },
    dns: { texts: async () => [] },
    ...noReaders,
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...unwatchedQueues,
    ...noInvocations,
  };
  for (const project of projects) await stored.transact([{ kind: "put", item: initialHead(project, NOW) }, projectWrite(project)]);

  /** Delivers a message as the platform does: it comes again when its time is up, unless the function ended well. */
  const deliver = async (message: Message): Promise<void> => {
    message.attempts += 1;
    message.visibleAt = now() + visibilitySeconds(jobs) * SECOND_MS;
    const death = new Promise<null>((resolve) => {
      killed = () => resolve(null);
    });
    const ended = await Promise.race([consume(jobs, [message], world, { remainingMs: () => 900 * SECOND_MS }), death]);
    const comesAgain = ended === null || ended.failed.includes(message.id);
    if (comesAgain && message.attempts < MAX_DELIVERIES.jobs) return;
    waiting.splice(waiting.indexOf(message), 1);
    if (comesAgain) deadLetters.push(message);
  };

  const work = async (): Promise<void> => {
    for (;;) {
      const next = waiting.find(({ visibleAt }) => visibleAt <= now());
      if (next === undefined) return;
      await deliver(next);
    }
  };

  /** One sweep; by a process that remembers nothing, where it is to be so. How long it took. */
  const sweep = async (by: "the same process" | "another process" = "the same process"): Promise<number> => {
    const started = now();
    const process = by === "another process" ? { ...world } : world;
    await time.run(runSchedule(sweeping, process, { remainingMs: () => MINUTE_MS }));
    return now() - started;
  };

  return {
    world,
    stored,
    objects,
    log,
    latency,
    merging,
    /** Merges that were begun. */
    merged,
    waiting,
    deadLetters,
    refuse: (which: (body: string) => boolean): void => {
      refused = which;
    },
    /** Commits rows that say nothing of persons. */
    commit: (rows: readonly EventRow[], { project = 1, lane = "live" }: Drained = {}) =>
      commitDrain(world, {
        ...{ project, lane, changes: new Map() },
        rows: rows.map((row): EventRow => ({ ...row, person_mode: "propertyless" })),
      }),
    sweep,
    work,
    skip: time.pass,
    /** Lets time pass: a sweep each minute, and the jobs that it asks for. */
    pass: async (ms: number): Promise<void> => {
      for (const end = now() + ms; now() < end; ) {
        time.pass(MINUTE_MS);
        await sweep();
        await work();
      }
    },
    /** What an operator sees of a project. */
    admin: async (project = 1) => {
      const nothing = async (): Promise<void> => undefined;
      const target = {
        world,
        forgetKeys: () => undefined,
        close: nothing,
      };
      return showUsage(target, { words: [], flags: { project: String(project) }, switches: new Set() });
    },
  };
};

interface Drained {
  readonly project?: number;
  readonly lane?: Commit["lane"];
}

/** A day of a month that is sealed by now: what is gathered of it is rewritten at once. */
export const SEALED_DAY = NOW - 40 * DAY_MS;

/** Rows of one day, by default of a month that is over. */
export const someRows = (count: number, name: string, day = SEALED_DAY): readonly EventRow[] =>
  Array.from({ length: count }, (_, at) =>
    anEventRow({ distinct_id: `${name}-${at}`, uuid: `${name}-${at}`, timestamp: BigInt(day + at) * 1_000n }),
  );

const noQueries = (): Promise<never> => Promise.reject(new Error("no queries here"));
