import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { MAX_WIRE_BYTES } from "../../../functions/capture/limits.ts";
import { MAX_DECODED_BYTES } from "../../../lib/event/message.ts";
import { MAX_MARKS, MAX_OBJECT_SHAPES } from "../../../lib/intake/limits.ts";
import { encodeLz64, lz64Bomb, lz64Letters } from "../../support/lz64.ts";
import { NOW, TOKEN } from "../../support/worlds/capture-world.ts";
import { corpus } from "../corpus.ts";
import type { Figure, Part } from "../figures.ts";

const MAX_MB = 400;
const BOMB_BYTES = 512 * 1024 * 1024;
const DAY_MS = 86_400_000;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface Case {
  readonly name: string;
  readonly status: number;
  readonly body: () => Uint8Array | string;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Peak memory of the handler above an idle one, each case in a fresh process; the largest is the figure. */
export const captureMemory: Part = {
  name: "capture.peak_mb",
  seconds: 40,
  measures: ["functions/capture", "lib/http", "lib/intake"],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "capture-memory-"));
    try {
      const idle = await peakOf([]);
      const figures: Figure[] = [];
      for (const one of CASES) {
        const file = join(folder, "body");
        await writeFile(file, one.body());
        const { status, peakKb } = await peakOf([file, JSON.stringify(one.options ?? {})]);
        if (status !== one.status) throw new Error(`${one.name}: status ${status}, not ${one.status}`);
        figures.push({
          name: `capture.peak_mb: ${one.name}`,
          value: megabytes(peakKb - idle.peakKb),
          unit: "MB",
          baseline: `status ${status}`,
        });
      }
      const worst = Math.max(...figures.map((figure) => figure.value));
      return [...figures, { name: "capture.peak_mb", value: worst, unit: "MB", baseline: `above an idle handler; at most ${MAX_MB}` }];
    } finally {
      await rm(folder, { recursive: true });
    }
  },
};

/** An envelope with one event and, in a field that nobody reads, something at a limit: it passes every check. */
const beside = (extra: string): string =>
  `{"api_key":"${TOKEN}","batch":[{"event":"e","distinct_id":"d"}],"sent_at":"2026-11-20T12:00:00Z","extra":${extra}}`;

/** Room for the envelope around what is at a limit. */
const AROUND = 200;
const ROOM_BYTES = MAX_DECODED_BYTES - AROUND;
const ROOM_MARKS = MAX_MARKS - AROUND;
/** The test's encoder is the plain algorithm. */
const EVENTS_IN_LZ64 = 2 * 1024 * 1024;

/** An envelope with as many ordinary events as fit. */
const eventsOf = (most: number): string => {
  const lines: string[] = [];
  let bytes = AROUND;
  for (const event of corpus({ seed: 2, events: 60_000, from: NOW - DAY_MS, to: NOW })) {
    const line = JSON.stringify(event);
    bytes += line.length + 1;
    if (bytes > most) break;
    lines.push(line);
  }
  return `{"api_key":"${TOKEN}","batch":[${lines.join(",")}],"sent_at":"2026-11-20T12:00:00Z"}`;
};

const distinctKeys = (from: number, count: number): string => {
  const keys = Array.from({ length: count }, (_, index) => `"k${(from + index).toString(36)}":1`);
  return `{${keys.join(",")}}`;
};

/** Objects of a hundred names that no other object has, as many as pass, and small strings up to the limit of values. */
const distinctKeysAmongStrings = (): string => {
  const objects = Array.from({ length: Math.floor(MAX_OBJECT_SHAPES / 100) - 1 }, (_, index) => distinctKeys(index * 100, 100));
  const strings = Array.from({ length: ROOM_MARKS - 101 * objects.length }, (_, index) => `"s${index.toString(36)}xxxx"`);
  return `[${[...objects, ...strings].join(",")}]`;
};

const repeated = (piece: string, marks: number): string => `[${piece.repeat(Math.floor(ROOM_MARKS / marks))}1]`;
const gzipBomb = (): Buffer => gzipSync(Buffer.alloc(BOMB_BYTES, "[1,"));

const CASES: readonly Case[] = [
  { name: "ordinary events", status: 200, body: () => gzipSync(eventsOf(MAX_DECODED_BYTES)) },
  { name: "{},", status: 200, body: () => gzipSync(beside(repeated("{},", 2))) },
  { name: "[],", status: 200, body: () => gzipSync(beside(repeated("[],", 2))) },
  { name: "1,", status: 200, body: () => gzipSync(beside(repeated("1,", 1))) },
  { name: "{}, of 32 MiB", status: 413, body: () => gzipSync(`[${"{},".repeat(ROOM_BYTES / 3)}{}]`) },
  { name: "distinct keys", status: 413, body: () => gzipSync(beside(distinctKeys(0, ROOM_MARKS))) },
  { name: "distinct keys that pass", status: 200, body: () => gzipSync(beside(distinctKeysAmongStrings())) },
  { name: "one long string", status: 200, body: () => gzipSync(beside(`"${"a".repeat(ROOM_BYTES)}"`)) },
  { name: "one long string with one wide letter", status: 200, body: () => gzipSync(beside(`"日${"a".repeat(ROOM_BYTES - 3)}"`)) },
  { name: "20 MiB of plain text", status: 200, body: () => beside(`"${"a".repeat(MAX_WIRE_BYTES - AROUND)}"`) },
  { name: "bomb in gzip", status: 413, body: gzipBomb },
  { name: "bomb in base64", status: 413, body: () => gzipBomb().toString("base64") },
  { name: "bomb in a form", status: 413, body: () => `data=${percent(gzipBomb())}`, options: { headers: FORM } },
  { name: "bomb in lz64", status: 413, body: () => lz64Bomb(200_000), options: { url: "/batch/?compression=lz64" } },
  // Of a megabyte and more the token has to be in the beginning.
  { name: "20 MiB of lz64", status: 413, body: () => lz64Letters(MAX_WIRE_BYTES), options: { url: "/batch/?compression=lz64" } },
  { name: "events in lz64", status: 200, body: () => encodeLz64(eventsOf(EVENTS_IN_LZ64)), options: { url: "/batch/?compression=lz64" } },
];

const percent = (bytes: Uint8Array): string => Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const megabytes = (kilobytes: number): number => Math.round(kilobytes / 102.4) / 10;

const run = promisify(execFile);

const peakOf = async (args: readonly string[]): Promise<{ readonly status: number; readonly peakKb: number }> => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, "capture-memory-case.ts"), ...args]);
  return JSON.parse(stdout);
};
