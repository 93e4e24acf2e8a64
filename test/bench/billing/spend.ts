import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { llmAnalytics } from "../../../functions/llm-analytics/routes.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import type { EventRow } from "../../../lib/event/event.ts";
import { hotValues } from "../../../lib/event/hot-properties.ts";
import { derivePersonId, identityHash } from "../../../lib/event/identity.ts";
import { utcDay } from "../../../lib/event/time-partitions.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { segmentFiles } from "../../../lib/lake/row-files.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { aHousehold, aPersonalKey, apiWorld, ask, aUser } from "../../support/worlds/api-world.ts";
import { storeCompacted } from "../compacted-rows.ts";
import { diskObjects } from "../engine/engine-set.ts";
import { type Figure, median, type Part } from "../figures.ts";

const PROJECT = 1;
const GENERATIONS = 1_000_000;
const DAYS = 60;
const DAY_MS = 86_400_000;
/** A minute less than 60 days before the clock of the bench's world, which goes on. */
const FROM = Date.UTC(2026, 10, 20, 12, 1) - DAYS * DAY_MS;

const ROUNDS = 7;
const MOST_MS = 400;

/** One of them made a hundredth of the generations, the other all others. */
const PEOPLE = { some: "user1@example.com", most: "user2@example.com" } as const;

const Answer = z.array(z.object({ summary: z.object({ event_count: z.int() }) }));

const MODELS = ["opus", "sonnet", "haiku", "mini"];
const TOOLS = ["Bash", "Read,Edit", "Bash,Read,Grep", "", "WebFetch"];

/** One person's spend among a million generations of a project, computed afresh through the front door, with warm files. */
export const spend: Part = {
  name: "spend.million_generations_ms",
  seconds: 120,
  measures: ["functions/llm-analytics", "lib/engine", "lib/hogql"],
  async run() {
    const root = await mkdtemp(join(tmpdir(), "spend-"));
    const objects = diskObjects(join(root, "objects"));
    const config = { engineDiskBytes: 4_000_000_000, engineMemoryMb: 1_500 };
    const engine = await openEngine({ objects, directory: join(root, "engine"), config, countUsage });
    try {
      const unthrottled = readConfig((field) => (field === "throttleScale" ? "1000" : undefined));
      const { world, time } = apiWorld({ objects: withoutDownloads(objects), engine, config: unthrottled });
      const { key: ofSome } = await aHousehold(world, PROJECT);
      const most = await aUser(world, 2, { email: PEOPLE.most });
      const ofMost = await aPersonalKey(world, most, ["user:read"]);
      await storeCompacted(world, engine.rowFiles, objects, PROJECT, GENERATIONS, rowOf);
      await identifyPeople(world);
      const asWhole = { ...world, config: { ...world.config, llmAnalyticsProjectId: PROJECT } };
      const figures: Figure[] = [];
      for (const [name, key, own] of [
        ["spend.million_generations_ms", ofSome, GENERATIONS / 100],
        ["spend.million_generations_mine_ms", ofMost, GENERATIONS - GENERATIONS / 100],
      ] as const) {
        const times: number[] = [];
        for (let round = 0; round <= ROUNDS; round += 1) {
          time.now += 1_000;
          const target = "/api/llm_analytics/@me/spend/?product=service_code&date_from=-60d&refresh=true";
          const began = performance.now();
          const { status, json } = await ask(llmAnalytics, asWhole, "GET", target, { key });
          const ms = performance.now() - began;
          const count = Answer.parse(json)[0]?.summary.event_count;
          if (status !== 200 || count !== own) throw new Error(`${status}: ${count} generations, not ${own}`);
          if (round > 0) times.push(ms);
        }
        const whose = key === ofSome ? "a hundredth of them the caller's" : "nearly all of them the caller's";
        figures.push({ name, value: median(times), unit: "ms", baseline: `${whose}; at most ${MOST_MS}` });
      }
      return figures;
    } finally {
      await engine.close();
      await rm(root, { recursive: true, force: true });
    }
  },
};

type BenchWorld = ReturnType<typeof apiWorld>["world"];

/** The two people, as events identified them. */
const identifyPeople = async (world: BenchWorld): Promise<void> => {
  const people = Object.entries(PEOPLE).map(([id, email]) => ({
    row: { ...rowOf(0), ...ownerOf(id), event: "$identify", uuid: `person-${id}` },
    email,
  }));
  const changes = new Map(
    people.map(({ row, email }) => [row, { person: { merge: null, set: { email }, setOnce: null, unset: null }, group: null }] as const),
  );
  const parts = { ...world, segments: segmentFiles(countUsage) };
  await commitDrain(parts, { project: PROJECT, lane: "live", rows: people.map(({ row }) => row), changes });
};

const ownerOf = (distinct_id: string) => ({ distinct_id, person_id: derivePersonId(PROJECT, distinct_id) });

const rowOf = (at: number): EventRow => {
  const timestamp = BigInt(Math.floor(FROM + (at * (DAYS - 1) * DAY_MS) / GENERATIONS)) * 1_000n;
  const uuid = `00000000-0000-7000-8000-${at.toString(16).padStart(12, "0")}`;
  const owner = ownerOf(at % 100 === 0 ? "some" : "most");
  const properties = {
    ai_product: at % 3 === 0 ? "background_agents" : "service_code",
    $ai_model: MODELS[at % MODELS.length],
    $ai_tools_called: TOOLS[at % TOOLS.length],
    $ai_trace_id: `trace-${Math.floor(at / 20)}`,
    $ai_total_cost_usd: (at % 1_000) / 10_000,
    $ai_input_cost_usd: (at % 500) / 10_000,
    $ai_output_cost_usd: (at % 300) / 10_000,
    $ai_cache_read_cost_usd: (at % 50) / 10_000,
    $ai_cache_creation_cost_usd: (at % 20) / 10_000,
    $ai_input_tokens: at % 200_000,
    $ai_output_tokens: at % 4_000,
    $ai_cache_read_input_tokens: at % 100_000,
    $ai_cache_creation_input_tokens: at % 10_000,
  };
  const event = "$ai_generation";
  return {
    ...{ uuid, event, ...owner, timestamp, created_at: timestamp, historical: false, person_mode: "full" },
    identity: identityHash(utcDay(timestamp), event, owner.distinct_id, uuid),
    ...{ session_id: null, window_id: null, groups: [], elements_chain: "" },
    ...{ properties: JSON.stringify(properties), hot: hotValues(properties), request: "0".repeat(32), index: at % 1_000 },
  };
};
