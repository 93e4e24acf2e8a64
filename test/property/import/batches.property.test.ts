import * as fc from "fast-check";
import { expect, test } from "vitest";
import "../../support/property-seed.ts";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Batch, batchesOf } from "../../../infra/cli/import/batches.ts";
import { openFile } from "../../../infra/cli/import/open-file.ts";
import { csvScanner, jsonScanner, lineScanner, type Scanner, splitter } from "../../../infra/cli/import/split.ts";
import { importIdOf, requestOfImport } from "../../../lib/event/imports.ts";
import { type CaptureMessage, readEvents } from "../../../lib/event/message.ts";
import { buildRows } from "../../../lib/lake/rows.ts";
import { memorySource } from "../../support/history/memory-source.ts";
import { SHAPES } from "../../support/history/shapes.ts";

const OPTIONS = { form: "events", mapping: undefined, groupType: "company" };
const RECEIVED = BigInt(Date.UTC(2026, 0, 1)) * 1_000n;

const batches = async (content: string | Uint8Array, place = { offset: 0, line: 0 }): Promise<readonly Batch[]> => {
  const file = await openFile(memorySource("file", content), OPTIONS);
  const found: Batch[] = [];
  for await (const batch of batchesOf(file, place, RECEIVED)) found.push(batch);
  return found;
};

/** The rows that ingest makes of a batch, without what only orders copies. */
const rowsOf = ({ text, digest, first }: Batch): readonly string[] => {
  if (text === undefined) return [];
  const message: CaptureMessage = {
    ...{ v: 1, project: 7, organization: "o", request: requestOfImport(importIdOf("i"), digest), received: String(RECEIVED), sentAt: null },
    ...{ historical: true, payload: "events", engage: false, first, events: 0, decodedBytes: 0, body: { encoding: "none", inline: "" } },
  };
  const context = { project: 7, groupTypes: [], personId: (id: string) => id };
  return buildRows(message, readEvents(message, text), context, { see: () => undefined }).rows.map(({ request: _r, index: _i, ...row }) =>
    JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value)),
  );
};

const lines = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.nat(300).map((number) => JSON.stringify(SHAPES.events(number))) },
    fc.constantFrom(
      "",
      "{",
      "5",
      '{"event":1}',
      '{"event":"a","distinct_id":"b"}',
      '{"event":"","distinct_id":"b","timestamp":"2024-01-01"}',
    ),
    fc.constant('{"event":"$performance_event","distinct_id":"b","timestamp":"2024-01-01"}'),
  ),
  { maxLength: 40 },
);

test("lines give the same rows and the same refusals in one file or in several, in any order, compressed or not", async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.nat(40), fc.boolean(), async (all, cut, isTurned) => {
      const whole = await batches(all.map((line) => `${line}\n`).join(""));
      const parts = [all.slice(0, cut), all.slice(cut)].map((part) => part.map((line) => `${line}\n`).join(""));
      const [one = "", other = ""] = isTurned ? parts.toReversed() : parts;
      const split = [...(await batches(gzipSync(one))), ...(await batches(zstdCompressSync(other)))];
      expect(new Set(split.flatMap(rowsOf))).toEqual(new Set(whole.flatMap(rowsOf)));
      const reasons = (of: readonly Batch[]) =>
        of.flatMap(({ rejects }) => rejects.map(({ reason, text }) => `${reason} ${text}`)).toSorted();
      expect(reasons(split)).toEqual(reasons(whole));
      const counted = whole.reduce((sum, { events, leftOut, rejects }) => sum + events + leftOut + rejects.length, 0);
      expect(counted).toBe(all.filter((line) => line !== "").length);
    }),
    { numRuns: 60 },
  );
});

test("a file that is read on from the end of any batch gives the batches that follow it, by the digests of their bytes", async () => {
  const content = Array.from({ length: 25_000 }, (_, number) => `${JSON.stringify(SHAPES.events(number))}\n`).join("");
  for (const bytes of [Buffer.from(content), gzipSync(content), zstdCompressSync(content)]) {
    const all = await batches(bytes);
    expect(all.length).toBeGreaterThan(2);
    const said = (of: readonly Batch[]) => of.map(({ text: _, ...batch }) => batch);
    for (const [number, { to }] of all.entries()) expect(said(await batches(bytes, to))).toEqual(said(all.slice(number + 1)));
  }
});

const scanners: Readonly<Record<string, (isWithin: boolean) => Scanner>> = {
  lines: () => lineScanner(),
  csv: () => csvScanner(",".charCodeAt(0)),
  list: (isWithin) => jsonScanner("list", isWithin),
  pages: (isWithin) => jsonScanner("pages", isWithin),
  objects: (isWithin) => jsonScanner("objects", isWithin),
};

const values = fc.array(
  fc.dictionary(fc.constantFrom("a", "results", '"', "é"), fc.oneof(fc.string(), fc.constantFrom("]}", '\\"', "{["))),
  {
    maxLength: 6,
  },
);
const texts: Readonly<Record<string, (of: readonly object[]) => string>> = {
  lines: (of) => of.map((value) => `${JSON.stringify(value)}\n`).join(""),
  csv: (of) => of.map((value) => `x,"${JSON.stringify(value).replaceAll('"', '""')}",\n\n`).join(""),
  list: (of) => JSON.stringify(of),
  pages: (of) => `{"next":"[{","results":${JSON.stringify(of, null, 1)},"more":[{"a":1}]}\n{"results":[]}`,
  objects: (of) => of.map((value) => JSON.stringify(value, null, 1)).join(" "),
};

test.each(Object.keys(texts))(
  "%s are cut into the same records in whatever pieces they come, and read on behind any of them",
  async (kind) => {
    await fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), fc.nat(6), (all, size, behind) => {
        const bytes = Buffer.from(texts[kind]?.(all) ?? "");
        const cutAt = (from: number, line: number, step: number) => {
          const split = splitter(scanners[kind]?.(from > 0) ?? lineScanner(), { offset: from, line });
          const found = [];
          for (let at = from; at < bytes.length; at += step) found.push(...split.feed(bytes.subarray(at, at + step)));
          return [...found, ...split.rest()].map((record) => ({ ...record, bytes: Buffer.from(record.bytes).toString() }));
        };
        const whole = cutAt(0, 0, bytes.length + 1);
        expect(cutAt(0, 0, size)).toEqual(whole);
        if (kind !== "csv") expect(whole.map((record) => JSON.parse(record.bytes))).toEqual(all);
        const last = whole[behind];
        if (last !== undefined) expect(cutAt(last.end, last.line, size)).toEqual(whole.slice(behind + 1));
      }),
    );
  },
);
