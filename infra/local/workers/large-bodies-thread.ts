import { parentPort, workerData } from "node:worker_threads";
import { capture } from "../../../functions/capture/group.ts";
import { collectWhenIdle } from "../../../lib/core/collect-when-idle.ts";
import type { Log } from "../../../lib/ports/system.ts";
import { asFunction } from "../function-rights.ts";
import { LocalStores, openLocal } from "../world.ts";
import type { LargeBodyAnswer, LargeBodyOrder } from "./large-bodies.ts";
import type { ThreadLine } from "./thread-messages.ts";

const tell = (message: ThreadLine | LargeBodyAnswer): void => parentPort?.postMessage(message);
/** The platform's own thread writes all lines. */
const log: Log = { line: (level, event, fields) => tell({ level, event, fields }) };
const { world } = openLocal(LocalStores.parse(workerData), "large-bodies", log);

parentPort?.on("message", async ({ number, request }: LargeBodyOrder) => {
  tell({ number, reply: await asFunction(capture, () => capture.serve(request, world)) });
  collectWhenIdle();
});
