import { batchesOf } from "../../../infra/cli/import/batches.ts";
import { openFile } from "../../../infra/cli/import/open-file.ts";
import { openSources } from "../../../infra/cli/import/sources.ts";
import { writtenVersion } from "../../../lib/core/formats.ts";
import { MESSAGE_FORMAT } from "../../../lib/event/message.ts";
import { encodeWhole, type MessageHeader } from "../../../lib/intake/messages.ts";
import { peakKilobytes } from "../peak-memory.ts";

/** Reads a file as the command does, to messages that nobody gets: says how many events there were, how long it took, and the most memory. */
const [path = ""] = process.argv.slice(2);
const HEADER: MessageHeader = {
  ...{ v: writtenVersion(MESSAGE_FORMAT), project: 1, organization: "o", request: "0".repeat(32), received: `${Date.now()}000` },
  ...{ sentAt: null, historical: true, engage: false },
};
const AT_ONCE = 4;

const [source] = await openSources([path]);
if (source === undefined) throw new Error("no file");
const began = performance.now();
const file = await openFile(source, { form: undefined, mapping: undefined, groupType: "company" });
const encoding: Promise<unknown>[] = [];
let events = 0;
for await (const { text, events: own, first, digest } of batchesOf(file, { offset: 0, line: 0 }, BigInt(Date.now()) * 1_000n)) {
  if (text === undefined) continue;
  events += own;
  encoding.push(encodeWhole(HEADER, { text, events: own, first }, digest));
  if (encoding.length >= AT_ONCE) await encoding.shift();
}
await Promise.all(encoding);
process.stdout.write(JSON.stringify({ events, ms: performance.now() - began, peakKb: peakKilobytes() }));
