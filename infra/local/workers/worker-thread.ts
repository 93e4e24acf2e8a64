import { parentPort, workerData } from "node:worker_threads";
import { consumers, schedules } from "../../../functions/index.ts";
import { consume } from "../../../lib/lambda/consumer.ts";
import type { Log } from "../../../lib/ports/log.ts";
import { openLocal } from "../world.ts";
import { poll } from "./poller.ts";
import { repeat } from "./schedules.ts";
import { standBack } from "./stand-back.ts";
import { ThreadDuty, type ThreadLine } from "./thread-duty.ts";

const { name, place, queues, withSchedules } = ThreadDuty.parse(workerData);
if (withSchedules) standBack();
/** The platform's own thread writes all lines. */
const log: Log = { line: (level, event, fields) => parentPort?.postMessage({ level, event, fields } satisfies ThreadLine) };
const { world, source } = openLocal(place, name, log);

const pollers = consumers
  .filter((consumer) => queues.includes(consumer.queue))
  .map((consumer) => poll(source, { queue: consumer.queue, consume: (batch, budget) => consume(consumer, batch, world, budget) }, log));
const repeating = withSchedules ? schedules.map((schedule) => repeat(schedule, world)) : [];

parentPort?.once("message", async () => {
  await Promise.all([...pollers, ...repeating].map((each) => each.stop()));
  await world.engine.close();
  process.exit(0);
});
