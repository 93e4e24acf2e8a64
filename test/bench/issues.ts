import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { issueList } from "../../functions/error-tracking/issue-list/routes.ts";
import { openEngine } from "../../lib/engine/open.ts";
import { MovedFingerprints } from "../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../lib/error-tracking/issues.ts";
import type { EventRow } from "../../lib/event/event.ts";
import { hotValues } from "../../lib/event/hot-properties.ts";
import { derivePersonId, identityHash } from "../../lib/event/identity.ts";
import { utcDay } from "../../lib/event/time-partitions.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { counterKey } from "../../lib/table/partitions.ts";
import { put } from "../../lib/table/store.ts";
import { countUsage } from "../../lib/usage/day-counts.ts";
import { memoryTable } from "../simulation/ports/table.ts";
import { withoutDownloads } from "../support/no-downloads.ts";
import { aHousehold, apiWorld, ask, NOON } from "../support/worlds/api-world.ts";
import { storeCompacted } from "./compacted-rows.ts";
import { diskObjects } from "./engine/engine-set.ts";
import { type Figure, median, type Part } from "./figures.ts";
import { slowTable } from "./slow-table.ts";

const PROJECT = 1;
const EXCEPTIONS = 1_000_000;
const ISSUES = 5_000;
const PEOPLE = 50_000;
/** Fingerprints that merges have moved. */
const MOVED = 500;
const DAYS = 30;
const DAY_MS = 86_400_000;
/** A minute after the list's 30 days begin: the clock of the bench's world goes on. */
const FROM = NOON + 60_000 - DAYS * DAY_MS;

const ROUNDS = 9;
const READ_MS = 5;

const LISTS = [
  {
    name: "issues.list_ms",
    query: "limit=50",
    what: "50 of them, newest first",
    mostMs: 150,
  },
  {
    name: "issues.filtered_ms",
    query: "limit=50&status=active&search=checkout&order_by=first_seen",
    what: "50 of those with a status and a text, in another order",
    mostMs: 150,
  },
  {
    name: "issues.counted_ms",
    query: "limit=50&aggregations=occurrences,users,sparkline",
    what: "the newest 50 with occurrences, users and a sparkline",
    mostMs: 400,
  },
  {
    name: "issues.top_ms",
    query: "limit=50&order_by=-occurrences&aggregations=occurrences,users,sparkline",
    what: "the 50 that happened most, with users and a sparkline",
    mostMs: 400,
  },
  {
    name: "issues.top_by_users_ms",
    query: "limit=50&order_by=-users&aggregations=occurrences,users,sessions,last_seen,sparkline",
    what: "the 50 that hit most people, with everything",
    mostMs: null,
  },
] as const;

const Answer = z.object({ count: z.int(), results: z.array(z.object({ id: z.guid() })) });

/** Lists of a project's issues through the front door, with warm files, over a table that takes a moment for each read. */
export const issueLists: Part = {
  name: "issues.top_ms",
  seconds: 120,
  measures: ["lib/engine", "lib/error-tracking", "lib/hogql"],
  async run() {
    const root = await mkdtemp(join(tmpdir(), "issues-"));
    const objects = diskObjects(join(root, "objects"));
    const config = { engineDiskBytes: 4_000_000_000, engineMemoryMb: 1_500 };
    const engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage });
    try {
      const unthrottled = readConfig((field) => (field === "throttleScale" ? "1000" : undefined));
      const stored = memoryTable();
      let waits = 0;
      const table = slowTable(stored, async () => {
        waits += 1;
        await new Promise((done) => setTimeout(done, READ_MS));
      });
      const { world, time } = apiWorld({ table: stored, objects: withoutDownloads(objects), engine, config: unthrottled });
      const { key } = await aHousehold(world, PROJECT);
      await fillIssues(world);
      await storeCompacted(world, engine.rowFiles, objects, PROJECT, EXCEPTIONS, rowOf);
      const figures: Figure[] = [];
      for (const { name, query, what, mostMs } of LISTS) {
        const times: number[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          time.now += 1_000;
          waits = 0;
          const target = `/api/projects/${PROJECT}/error_tracking/issues/?${query}`;
          const began = performance.now();
          const { status, json } = await ask(issueList, { ...world, table }, "GET", target, { key });
          const ms = performance.now() - began;
          const { count, results } = Answer.parse(json);
          if (status !== 200 || results.length !== 50 || count < 50) throw new Error(`${status}: ${results.length} of ${count} issues`);
          if (round > 0) times.push(ms);
        }
        const how = `${EXCEPTIONS} exceptions of ${ISSUES} issues, ${MOVED} fingerprints moved; ${waits} calls to the table at ${READ_MS} ms`;
        figures.push({
          name,
          value: median(times),
          unit: "ms",
          baseline: `${what}: ${how}${mostMs === null ? "" : `; at most ${mostMs}`}`,
        });
      }
      return figures;
    } finally {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    }
  },
};

type BenchWorld = ReturnType<typeof apiWorld>["world"];

const fillIssues = async ({ table }: BenchWorld): Promise<void> => {
  for (let number = 0; number < ISSUES; number += 1) {
    const seen = new Date(FROM + number * 1_000).toISOString().replace("Z", "000Z");
    await put(table, Issues, {
      ...{ project: PROJECT, id: issueId(number), status: number % 5 === 0 ? "resolved" : "active", severity: null },
      name: `TypeError in part ${number}`,
      description: `Cannot read properties of undefined (reading 'items') in ${number % 2 === 0 ? "checkout" : "search"} ${number}`,
      ...{ first_seen: seen, assignee: null, created_at: seen },
    });
  }
  await table.update(counterKey("issueCount", PROJECT), { add: { count: ISSUES } });
  for (let number = 0; number < MOVED; number += 1) {
    await put(table, MovedFingerprints, { project: PROJECT, fingerprint: fingerprintOf(ISSUES - 1 - number), issue_id: issueId(number) });
  }
};

const issueId = (number: number): string => `0190a1b2-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
const fingerprintOf = (number: number): string => number.toString(16).padStart(8, "0").repeat(16);

/** A number below `limit`, the same for the same place: small ones are more frequent, as those of issues are. */
const skewed = (at: number, limit: number): number => Math.floor(limit * share(at) ** 3);
const share = (at: number): number => ((Math.imul(at + 1, 0x9e3779b1) >>> 0) % 1_000_003) / 1_000_003;

const rowOf = (at: number): EventRow => {
  const timestamp = BigInt(Math.floor(FROM + (at * (DAYS * DAY_MS - 120_000)) / EXCEPTIONS)) * 1_000n;
  const uuid = `00000000-0000-7000-8000-${at.toString(16).padStart(12, "0")}`;
  const issue = skewed(at, ISSUES);
  const distinct_id = `user-${Math.floor(share(at * 7 + 3) * PEOPLE)}`;
  const event = "$exception";
  const properties = {
    $exception_list: [{ type: "TypeError", value: `about ${issue}`, stacktrace: { type: "resolved", frames: [] } }],
    $exception_issue_id: issueId(issue),
    $exception_fingerprint: fingerprintOf(issue),
  };
  return {
    ...{ uuid, event, distinct_id, person_id: derivePersonId(PROJECT, distinct_id), timestamp, created_at: timestamp },
    ...{ historical: false, person_mode: "full", identity: identityHash(utcDay(timestamp), event, distinct_id, uuid) },
    ...{ session_id: `session-${Math.floor(at / 10)}`, window_id: null, groups: [], elements_chain: "" },
    ...{ properties: JSON.stringify(properties), hot: hotValues(properties), request: "0".repeat(32), index: at % 1_000 },
  };
};
