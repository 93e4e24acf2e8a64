import { beforeAll, describe, expect, it } from "vitest";
import { endpointTrials } from "../../functions/endpoint-trials/routes.ts";
import { endpoints } from "../../functions/endpoints/routes.ts";
import { ingestLive } from "../../functions/ingest/consumers.ts";
import { ingest } from "../../functions/ingest/ingest.ts";
import { query } from "../../functions/query/routes.ts";
import { asFunction } from "../../infra/local/function-rights.ts";
import type { Group } from "../../lib/app/routes.ts";
import { openSegments } from "../../lib/aws/parts/segments.ts";
import { MAX_WAIT_MS, openFairQueue } from "../../lib/core/fair-queue.ts";
import type { Cell, Engine } from "../../lib/engine/engine.ts";
import type { LoweredQuery } from "../../lib/hogql/lowered-query.ts";
import { Organizations } from "../../lib/organizations/organizations.ts";
import { readConfig } from "../../lib/ports/config.ts";
import { update } from "../../lib/table/store.ts";
import { memoryObjects } from "../support/memory-objects.ts";
import { withoutDownloads } from "../support/no-downloads.ts";
import { deliveryOf } from "../support/samples/capture-messages.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { aHousehold, apiWorld, ask } from "../support/worlds/api-world.ts";

const OTHERS = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const HOSTILE = 10;
/** More than a project has slots. */
const AT_ONCE = 11;
const NO_COST = { engineMs: 1, fetchedBytes: 0, neededBytes: 0 };
const CAME = Date.UTC(2026, 10, 20, 11, 59);

/** By their number of columns, what the queries of live events find: when rows came, rows, and nothing else. */
const FOUND: Readonly<Record<number, readonly Cell[]>> = {
  1: [String(BigInt(CAME) * 1_000n)],
  7: ["0198a5b2-4b7e-7c3e-9d52-000000000001", "seen", "2026-11-20T11:59:00.000000Z", "2026-11-20T11:59:00.000000Z", "ann", "p", "{}"],
};

/** An engine of two lanes, as a laptop has, in which a query of the hostile project ends when it is let go, and any other one at once. */
const heldEngine = () => {
  const queue = openFairQueue(64, 2);
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ran = new Map<number, number>();
  const widths = new Set<number>();
  const take = (project: number): Promise<void> =>
    queue.run(
      project,
      async () => {
        ran.set(project, (ran.get(project) ?? 0) + 1);
        if (project !== HOSTILE) return;
        begun.resolve();
        await gate.promise;
      },
      MAX_WAIT_MS,
    );
  const engine: Pick<Engine, "run" | "write"> = {
    async run({ project, columns }: LoweredQuery, _, { admitted }) {
      await admitted;
      await take(project);
      if (project !== HOSTILE) widths.add(columns.length);
      return { engine: "embedded", rows: FOUND[columns.length] ? [FOUND[columns.length] ?? []] : [], cost: NO_COST };
    },
    async write({ project }) {
      await take(project);
      return { engine: "embedded", rows: 1, bytes: 10, cost: NO_COST };
    },
  };
  return { engine: { ...engine } as Engine, isHeld: begun.promise, letGo: gate.resolve, ran, widths };
};

const { engine, isHeld, letGo, ran, widths } = heldEngine();
const config = readConfig((field) => (field === "throttleScale" ? "100" : undefined));
const { world } = apiWorld({ objects: withoutDownloads(memoryObjects()), config, engine, segments: openSegments });
const keys = new Map<number, string>();

const call = async (group: Group, project: number, method: string, path: string, body?: object) => {
  const key = keys.get(project) ?? "";
  const { status, json } = await ask(group, world, method, `/api/projects/${project}/${path}`, { key, ...(body && { body }) });
  return { status, json };
};

let stored = 0;
/** An event of a commit of its own. */
const store = async (project: number): Promise<void> => {
  stored += 1;
  const event = { event: "seen", distinct_id: "ann", timestamp: new Date(CAME).toISOString(), properties: { n: stored } };
  const delivery = deliveryOf([event], { project, received: `${CAME}000`, request: String(stored).padStart(32, "0") });
  const { failed } = await asFunction(ingestLive, () => ingest([delivery], world, { remainingMs: () => 60_000 }, "live"));
  expect(failed).toEqual([]);
};

const follow = async (project: number) => {
  const first = await call(query, project, "GET", "live_events/");
  if (first.status !== 200) return first;
  await store(project);
  return call(query, project, "GET", `live_events/?after=${(first.json as { readonly next: string }).next}`);
};

const WAYS: readonly (readonly [name: string, ask: (project: number) => Promise<{ readonly status: number; readonly json: unknown }>])[] = [
  [
    "both forms of a version",
    (project) => call(endpointTrials, project, "POST", "endpoints/counted/materialization_preview/", { variables: {} }),
  ],
  [
    "a form that can be materialised",
    (project) => call(endpointTrials, project, "POST", "endpoints/listed/materialization_suggestion/", {}),
  ],
  ["events as they come", follow],
];

const open = async (project: number): Promise<void> => {
  const { key, organization } = await aHousehold(world, project);
  keys.set(project, key);
  await update(world.table, Organizations, { id: organization.id }, { set: { is_ai_data_processing_approved: true } });
  for (const [name, condition] of [
    ["counted", "event = {variables.e}"],
    ["listed", "event IN [{variables.e}]"],
  ] as const) {
    const sql = sqlQuery(`SELECT count() FROM events WHERE ${condition}`, { e: "seen" });
    expect(await call(endpoints, project, "POST", "endpoints/", { name, query: sql })).toMatchObject({ status: 201 });
  }
  await store(project);
};

beforeAll(async () => {
  await Promise.all([...OTHERS, HOSTILE].map(open));
});

describe("while a project asks for all of it eleven times at once, and its first query does not end", () => {
  it("nine others are shown what they ask for, and none waits for that query", async () => {
    const hostile = Promise.all(Array.from({ length: AT_ONCE }, () => WAYS.map(([, show]) => show(HOSTILE))).flat());
    await isHeld;
    for (const [name, show] of WAYS) {
      const answers = await Promise.all(OTHERS.map(show));
      expect({ name, statuses: answers.map(({ status }) => status) }).toEqual({ name, statuses: OTHERS.map(() => 200) });
    }
    // Of live events all has been asked, also whether what came is a copy: times, numbers by minute, copies and rows.
    expect([...widths].toSorted((a, b) => a - b)).toEqual([1, 2, 4, 7]);
    expect(ran.get(HOSTILE)).toBe(1);
    letGo();
    for (const { status } of await hostile) expect([200, 429]).toContain(status);
  });
});
