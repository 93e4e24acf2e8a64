import { readFileSync } from "node:fs";
import { serve } from "../../../functions/capture/serve.ts";
import { aBatch, aRequest } from "../../support/samples/capture-requests.ts";
import { captureWorld } from "../../support/worlds/capture-world.ts";
import { peakKilobytes } from "../peak-memory.ts";

/** Run in a process of its own: answers a small request, then the one in the file if one is given, and prints status and peak memory. */
const [file, options = "{}"] = process.argv.slice(2);
const { world } = captureWorld();
// A queue that confirms and forgets: what it would hold is not the handler's.
const discarding: typeof world = Object.create(world, { queues: { value: { send: async () => [] } } });
await serve(aRequest(aBatch()), discarding);
const reply = file === undefined ? undefined : await serve(aRequest(readFileSync(file), JSON.parse(options)), discarding);
console.log(JSON.stringify({ status: reply?.status ?? 200, peakKb: peakKilobytes() }));
