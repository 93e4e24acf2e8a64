import { parentPort, workerData } from "node:worker_threads";
import { consumers, schedules } from "../../../functions/index.ts";
import { consume } from "../../../lib/lambda/consumer.ts";
import type { Log } from "../../../lib/ports/log.ts";
import { openLocal } from "../world.ts";
import { type Mapping, poll } from "./poller.ts";
import { repeat } from "./schedules.ts";
import { standBack } from "./stand-back.ts";
import { ThreadDuty, type ThreadMessage } from "./thread-duty.ts";

const { name, place, queues, withSchedules } = ThreadDuty.parse(workerData);
if (withSchedules) standBack();
/** The platform's own thread writes all lines. */
const tell = (message: ThreadMessage): void => parentPort?.postMessage(message);
const log: Log = { line: (level, event, fields) => tell({ level, event, fields }) };
const behind = (): void => tell("behind");
const { world, source } = openLocal(place, name, log);

const pollers = consumers
  .filter((consumer) => queues.includes(consumer.queue))
  .map((consumer) => {
    const mapping: Mapping = { queue: consumer.queue, behind, consume: (batch, budget) => consume(consumer, batch, world, budget) };
    return poll(source, mapping, log);
  });
const repeating = withSchedules ? schedules.map((schedule) => repeat(schedule, world)) : [];

parentPort?.once("message", async () => {
  await Promise.all([...pollers, ...repeating].map((each) => each.stop()));
  await world.engine.close();
  process.exit(0);
});
