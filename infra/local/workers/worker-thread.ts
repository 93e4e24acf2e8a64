import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { consumers, invocables, schedules } from "../../../functions/workers.ts";
import type { World } from "../../../lib/app/world.ts";
import { lowerThreadPriority } from "../../../lib/core/priority.ts";
import { SECOND_MS } from "../../../lib/core/time.ts";
import { Defect } from "../../../lib/core/unreachable.ts";
import { consume } from "../../../lib/lambda/consumer.ts";
import { runInvocable } from "../../../lib/lambda/invocable.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { asFunction } from "../function-rights.ts";
import { openLocal } from "../world.ts";
import { type Mapping, poll } from "./poller.ts";
import { repeat } from "./schedules.ts";
import { type RunCommand, type ThreadCommand, type ThreadMessage, ThreadSettings } from "./thread-messages.ts";

/** A batch in work may take so long once the thread is to end; then its queries are ended, and the batch comes again at the next start. */
const FINISH_MS = 2_000;
/** So long it may take to leave what it was at. */
const LEAVE_MS = 500;

const { name, place, queues, isBackground } = ThreadSettings.parse(workerData);
if (isBackground) lowerThreadPriority();
let isBrokenOff = false;
let isStopping = false;
/** The platform's own thread writes all lines. */
const tell = (message: ThreadMessage): void => parentPort?.postMessage(message);
/** A job that fails because it is broken off is nobody's fault. */
const log: Log = { line: (level, event, fields) => isBrokenOff || tell({ level, event, fields }) };
const behind = (): void => tell("behind");
const { world, source } = openLocal(place, name, log);
/** Each instance has a world of its own, and so an engine of its own, as a deployed one has. */
const instances = new Map<string, World>();

const pollers = consumers
  .filter((consumer) => queues.includes(consumer.queue))
  .flatMap((consumer) => {
    const mapping: Mapping = {
      queue: consumer.queue,
      behind,
      consume: (batch, budget, newcomers) => asFunction(consumer, () => consume(consumer, batch, world, budget, newcomers)),
    };
    // Messages that are handed out one by one are worked beside each other: what one project asked for must not hold up another's.
    const pollers = consumer.batch.messages === 1 ? consumer.batch.maxConcurrency : 1;
    return Array.from({ length: pollers }, () => poll(source, mapping, log));
  });
const repeating = isBackground ? schedules.map((schedule) => repeat(schedule, world)) : [];

/** The runs of functions that are in work. */
const runs = new Set<Promise<void>>();

const run = async ({ of, instance }: RunCommand): Promise<void> => {
  const invocable = invocables.find((each) => each.name === of);
  if (invocable === undefined) throw new Defect(`there is no function ${of}`);
  const own = instances.get(instance) ?? openLocal(place, instance, log).world;
  instances.set(instance, own);
  tell({ event: "begun", instance });
  const end = performance.now() + invocable.timeoutSeconds * SECOND_MS;
  // A run that throws has written its log line.
  const budget = { remainingMs: () => (isStopping ? 0 : end - performance.now()) };
  await asFunction(invocable, () => runInvocable(invocable, own, budget)).catch(() => undefined);
  tell({ event: "finished", instance });
};

const start = (command: RunCommand): void => {
  const started = run(command).finally(() => runs.delete(started));
  runs.add(started);
};

const endInstance = async (instance: string): Promise<void> => {
  const own = instances.get(instance);
  instances.delete(instance);
  await own?.engine.close();
};

const closeEngines = () => Promise.all([world, ...instances.values()].map(({ engine }) => engine.close()));

const stop = async (): Promise<void> => {
  isStopping = true;
  const done = Promise.all([...[...pollers, ...repeating].map((each) => each.stop()), ...runs]).then(() => true);
  if (!(await Promise.race([done, pause(FINISH_MS, false)]))) {
    isBrokenOff = true;
    await closeEngines();
    await Promise.race([done, pause(LEAVE_MS)]);
  }
  await closeEngines();
  process.exit(0);
};

parentPort?.on("message", (command: ThreadCommand) => {
  if (command === "stop") void stop();
  else if (command.command === "run") start(command);
  else void endInstance(command.instance);
});
