import { zstdCompressSync } from "node:zlib";
import { findExport } from "../../functions/endpoint-runs/exports/kept-export.ts";
import { decodeManifest } from "../../infra/cli/backup/backup-files.ts";
import { decode as decodeCheckpoint } from "../../infra/cli/import/checkpoint.ts";
import { unpackAst } from "../../lib/endpoints/query/stored-ast.ts";
import { readNames } from "../../lib/erasure/stored/erased-names.ts";
import { decodeMessage } from "../../lib/event/message.ts";
import { readJob } from "../../lib/jobs/jobs.ts";
import { decodeCommit } from "../../lib/lake/catalogue/commits.ts";
import { getManifest } from "../../lib/lake/catalogue/manifests.ts";
import { decodeEarned } from "../../lib/lake/earned-properties.ts";
import { erasureKey, leafKey, manifestKey, rowsFileKey } from "../../lib/lake/paths.ts";
import { readDeltas } from "../../lib/lake/persons/stored-deltas.ts";
import { decodeTypes } from "../../lib/lake/property-types/stored-types.ts";
import { decodeMarks } from "../../lib/lake/property-types/type-marks.ts";
import { readRollUp } from "../../lib/usage/roll-ups.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { memoryObjects } from "./memory-objects.ts";

export interface Format {
  /** Where its number stands: file and name. */
  readonly constant: string;
  /** What a release that wrote a version left behind, byte for byte. */
  readonly versions: Readonly<Record<number, unknown>>;
  /** The same of a later version, which says something more. */
  later(version: number): unknown;
  /** What today's reader makes of it. */
  read(stored: unknown): unknown;
  /** What all versions say here. */
  readonly says: unknown;
}

const CHECKPOINT = {
  received: "1795176000000000",
  files: {
    f: {
      ...{ name: "a.jsonl", offset: 120, line: 3, accepted: 2, rejected: 1, left_out: 0, days: { 20000: 2 }, reject_bytes: 40 },
      is_done: false,
    },
  },
};

/** As the catalogue keeps JSON that is not worth packing. */
const plain = (value: unknown): Uint8Array => new Uint8Array(Buffer.from(`\0${JSON.stringify(value)}`));
const text = (value: object): string => JSON.stringify(value);
/** A field that no release has. */
const MORE = { added_later: "x" } as const;

const ORGANIZATION = "0190d0aa-0000-7000-8000-000000000001";
const ENDPOINT = "0190d0aa-0000-7000-8000-000000000002";

const FILE = {
  key: "f",
  bytes: 9,
  rows: 2,
  days: [20_000, 20_000],
  times: ["1", "2"],
  ids: ["a", "b"],
  events: ["seen"],
  usage: {},
  footerBytes: 5,
};

const MESSAGE = {
  ...{ project: 7, organization: ORGANIZATION, request: "0".repeat(32), received: "1795176000000000", sentAt: null, historical: false },
  ...{ payload: "envelope", engage: false, first: 0, events: 1, decodedBytes: 70, body: { encoding: "none", inline: "e30=" } },
};

const BACKUP = {
  ...{ id: ENDPOINT, generation: 1, began_at: "2026-11-28T00:00:00.000Z", ended_at: "2026-11-28T00:00:01.000Z", messages: 3 },
  files: { table: { bytes: 5, sha256: "a0" }, queues: { bytes: 6, sha256: "b0" }, "token-keys": { bytes: 7, sha256: "c0" } },
  objects: { count: 1, bytes: 9, sha256: "d0" },
};

const manifestOf = (v: number, more: object = {}) => ({
  ...more,
  v,
  id: "m",
  partition: "2026-03",
  files: [FILE],
  loose: [],
  absorbed: [],
  absorbedAt: [],
  sealed: true,
});
const manifestWithLeaf = (v: number, more: object = {}) => ({
  ...manifestOf(v, more),
  files: [],
  leaves: [{ id: "l", loose: false, days: [20_000, 20_000], files: 1, rows: 2, plainBytes: 600, usage: {}, footers: [] }],
});
const commitOf = (v: number, more: object = {}) => ({
  pk: "lake#7",
  sk: "commit#01A",
  v,
  at: 5,
  lane: "live",
  body: plain({ segments: [FILE], deltas: null, ...more }),
});
const EARNED = [{ property: "plan", type: "text", since: 1, namedAt: 2, namedBy: "ad-hoc" }] as const;
const earnedOf = (v: number, list: object) => ({ pk: "project#7", sk: "earned", v, rev: 1, list: plain(list) });
const marksOf = (v: number) => ({ pk: "project#7", sk: "type-marks", v, rev: 1, marks: plain([["event:price", 20_000]]) });
const typesOf = (v: number, body: object) => ({ pk: "lake#7", sk: "types", v, body: plain(body) });
const TYPES = { names: { event: { Numeric: { 0: ["price"] } } }, used: [], today: { day: 0, names: 0, bytes: 0, noted: 0 } };
const treeOf = (kind: string) => ({ kind: "select", columns: [{ kind, text: "NaN" }] });
const RUNS = [[0, 20_000, 3]];
const ERASED = { distinctIds: ["ana"], keepsLate: false, names: ["ana@example.test"], issues: [], frames: [] };
const JOBS = [
  { kind: "compact", project: 7, partition: "2026-03", upTo: "01A", seal: false },
  { kind: "table", project: 7, endpoint_id: ENDPOINT, version: 1 },
  { kind: "remove-organization", organization: ORGANIZATION },
];

const EXPORT = {
  id: ENDPOINT,
  endpoint: "sold",
  version: 1,
  format: "csv",
  rows: 2,
  bytes: 9,
  created_at: "2026-11-28T00:00:00.000Z",
};

export const FORMATS: readonly Format[] = [
  {
    constant: "infra/cli/backup/backup-files.ts BACKUP_FORMAT",
    versions: { 1: text({ v: 1, ...BACKUP }) },
    later: (v) => text({ v, ...BACKUP, ...MORE }),
    read: (stored) => ({ ...decodeManifest(String(stored), "here"), v: 0 }),
    says: { v: 0, ...BACKUP },
  },
  {
    constant: "lib/event/message.ts MESSAGE_FORMAT",
    versions: { 1: text({ v: 1, ...MESSAGE }), 2: text({ v: 2, ...MESSAGE, importName: "old shop" }) },
    later: (v) => text({ v, ...MESSAGE, importName: "old shop", ...MORE }),
    read(stored) {
      const { importName: _, ...message } = decodeMessage(String(stored));
      return { ...message, v: 0 };
    },
    says: { v: 0, ...MESSAGE },
  },
  {
    constant: "lib/lake/catalogue.ts CATALOGUE_FORMAT",
    versions: {
      1: { commit: commitOf(1), manifest: plain(manifestOf(1)) },
      2: { commit: commitOf(2), manifest: plain(manifestOf(2)) },
      3: { commit: commitOf(3), manifest: plain(manifestWithLeaf(3)), leaf: plain({ v: 3, held: [FILE] }) },
      4: { commit: commitOf(4), manifest: plain(manifestWithLeaf(4, { removed: 1 })), leaf: plain({ v: 4, held: [FILE] }) },
    },
    later: (v) => ({
      commit: commitOf(v, MORE),
      manifest: plain(manifestWithLeaf(v, MORE)),
      leaf: plain({ v, held: [FILE], ...MORE }),
    }),
    async read(stored) {
      const { commit, manifest, leaf } = Object(stored);
      const objects = memoryObjects();
      if (leaf !== undefined) await objects.put(leafKey(7, "2026-03", "l"), leaf);
      await objects.put(manifestKey(7, "2026-03", "m"), manifest);
      const read = await getManifest(objects, 7, "2026-03", "m");
      return { segments: decodeCommit(commit).segments, files: read?.files, sealed: read?.sealed };
    },
    says: { segments: [FILE], files: [FILE], sealed: true },
  },
  {
    constant: "lib/lake/persons/stored-deltas.ts DELTA_FORMAT",
    versions: {
      1: text({ v: 1, seen: [["ann", "9", "7", 1, "u"]], persons: [], groups: [] }),
      2: text({ v: 2, seen: [["ann", "9", "7", 1, "u"]], persons: [], groups: [] }),
    },
    later: (v) => text({ v, seen: [["ann", "9", "7", 1, "u"]], persons: [], groups: [], ...MORE }),
    read: (stored) => readDeltas(memoryObjects(), { inline: String(stored) }),
    says: { seen: [{ id: "ann", first: { time: 7n, index: 1, uuid: "u" }, last: 9n }], persons: [], groups: [] },
  },
  {
    constant: "lib/lake/property-types/stored-types.ts TYPES_FORMAT",
    versions: {
      1: typesOf(1, { names: { event: { Numeric: ["price"] } } }),
      2: typesOf(2, TYPES),
    },
    later: (v) => typesOf(v, { ...TYPES, ...MORE }),
    read: (stored) => [...decodeTypes(Object(stored)).names.event],
    says: [["price", { type: "Numeric", seen: 0, evidence: null }]],
  },
  {
    constant: "lib/lake/property-types/type-marks.ts MARKS_FORMAT",
    versions: { 1: marksOf(1) },
    later: (v) => ({ ...marksOf(v), ...MORE }),
    read: (stored) => [...decodeMarks(Object(stored))],
    says: [["event:price", 20_000]],
  },
  {
    constant: "lib/lake/earned-properties.ts EARNED_FORMAT",
    versions: { 1: earnedOf(1, EARNED) },
    later: (v) => ({ ...earnedOf(v, [{ ...EARNED[0], ...MORE }]), ...MORE }),
    read: (stored) => decodeEarned(Object(stored)),
    says: EARNED,
  },
  {
    constant: "lib/usage/roll-ups.ts USAGE_FORMAT",
    versions: {
      1: plain({ v: 1, projects: { 7: { manifest: "m", days: { 20000: { x: 3 } } } } }),
      2: plain({ v: 2, names: ["x"], projects: { 7: { manifest: "m", runs: RUNS } } }),
    },
    later: (v) => plain({ v, names: ["x"], projects: { 7: { manifest: "m", runs: RUNS } }, ...MORE }),
    async read(stored) {
      const parts = { table: memoryTable(), objects: memoryObjects() };
      await parts.table.put({ pk: `usage#${ORGANIZATION}`, sk: "2026-03", current: "one" });
      await parts.objects.put(`usage/${ORGANIZATION}/2026-03/one`, Object(stored));
      return (await readRollUp(parts, ORGANIZATION, "2026-03")).rollUp.projects;
    },
    says: { 7: { manifest: "m", runs: RUNS } },
  },
  {
    constant: "lib/endpoints/query/stored-ast.ts AST_FORMAT",
    versions: {
      1: zstdCompressSync(text({ v: 1, tree: treeOf("odd-number") })),
      2: zstdCompressSync(text({ v: 2, tree: treeOf("numeric-literal") })),
    },
    later: (v) => zstdCompressSync(text({ v, tree: treeOf("numeric-literal"), ...MORE })),
    read: (stored) => unpackAst(Object(stored)),
    says: treeOf("numeric-literal"),
  },
  {
    constant: "lib/jobs/jobs.ts JOB_FORMAT",
    versions: { 1: JOBS.map((job) => text({ v: 1, ...job })), 2: JOBS.map((job) => text({ v: 2, ...job })) },
    later: (v) => JOBS.map((job) => text({ v, ...job, ...MORE })),
    read: (stored) => Array.from(Object(stored), (each) => readJob(String(each))),
    says: JOBS,
  },
  {
    constant: "infra/cli/import/checkpoint.ts CHECKPOINT_FORMAT",
    versions: { 1: Buffer.from(text({ v: 1, ...CHECKPOINT })) },
    later: (v) => Buffer.from(text({ v, ...CHECKPOINT, ...MORE })),
    read: (stored) => ({ ...decodeCheckpoint(Buffer.from(String(stored))), v: undefined }),
    says: { v: undefined, ...CHECKPOINT },
  },
  {
    constant: "functions/endpoint-runs/exports/kept-export.ts EXPORT_FORMAT",
    versions: { 1: text({ v: 1, ...EXPORT }) },
    later: (v) => text({ v, ...EXPORT, ...MORE }),
    async read(stored) {
      const objects = memoryObjects();
      await objects.put(rowsFileKey(7, EXPORT.id, "json"), new Uint8Array(Buffer.from(String(stored))));
      const found = await findExport(objects, 7, EXPORT.id, Date.parse(EXPORT.created_at));
      if (found === undefined) throw new Error("no export that this release knows");
      return found;
    },
    says: EXPORT,
  },
  {
    constant: "lib/erasure/stored/erased-names.ts ERASED_NAMES_FORMAT",
    versions: { 1: plain({ v: 1, ...ERASED }) },
    later: (v) => plain({ v, ...ERASED, ...MORE }),
    async read(stored) {
      const objects = memoryObjects();
      await objects.put(erasureKey(7, ENDPOINT), Object(stored));
      return readNames(objects, 7, ENDPOINT);
    },
    says: ERASED,
  },
];

/** Formats whose samples are files of Parquet, which tests of their own read, and those of which a reader that meets another begins anew. */
export const OTHER_FORMATS: Readonly<Record<string, number>> = {
  "lib/event/event.ts EVENT_FORMAT": 3,
  "lib/lake/persons/state-rows.ts STATE_FORMAT": 2,
  "lib/lake/persons/delta-files.ts DELTA_FILE_FORMAT": 1,
  "lib/lake/persons/corrections.ts CORRECTION_FORMAT": 1,
  "lib/lake/catalogue.ts SKIPPING_FORMAT": 5,
  "lib/lake/removals.ts REMOVALS_FORMAT": 1,
  "lib/lake/removal/touched.ts TOUCHED_FORMAT": 1,
  "lib/lake/compaction/sweep-place.ts PLACE_FORMAT": 1,
  "lib/endpoints/materialisation/days.ts FORMAT": 1,
  "lib/endpoints/run/result-cache.ts RESULT_FORMAT": 1,
  "lib/error-tracking/alerts/cool-down.ts FORMAT": 1,
  "lib/error-tracking/limits/limits.ts FORMAT": 1,
  "lib/error-tracking/spikes/counts.ts FORMAT": 1,
  "functions/sweep/requests.ts FORMAT": 1,
  "infra/cli/export/checkpoint.ts CHECKPOINT_FORMAT": 1,
  "functions/llm-analytics/spend.ts FORMAT": 1,
};
