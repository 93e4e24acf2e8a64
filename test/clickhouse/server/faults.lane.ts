import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AWAY_MS } from "../../../lib/clickhouse/choice/reach.ts";
import { openEngines } from "../../../lib/clickhouse/engines.ts";
import { openClickHouse } from "../../../lib/clickhouse/open.ts";
import { Unavailable } from "../../../lib/core/unavailable.ts";
import type { Engine, Limits } from "../../../lib/engine/engine.ts";
import { lower, storedColumns } from "../../../lib/hogql/lower.ts";
import type { LoweredQuery } from "../../../lib/hogql/lowered-query.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import type { PinnedState } from "../../../lib/lake/catalogue.ts";
import { tableKey } from "../../../lib/lake/paths.ts";
import { clientAs } from "../../support/clickhouse-client.ts";
import { keptLog } from "../../support/kept-log.ts";
import { LIMITS, OPTIONS } from "../lake/checks.ts";
import { PROJECT } from "../project.ts";
import { FAULTS, type FaultProxy, HANGS, openFaultProxy, PASS } from "./fault-proxy.ts";
import { type ServedLake, serveLake } from "./lake.ts";

const QUERIES = [
  "SELECT event, count(), uniq(person_id) FROM events GROUP BY event ORDER BY event",
  "SELECT distinct_id, properties.amount, timestamp FROM events ORDER BY timestamp, uuid LIMIT 300",
];

/** A fault that never answers takes this long, and the grace. */
const TIME_MS = 3_000;
const GRACE_MS = 500;

let lake: ServedLake;
let proxy: FaultProxy;
let pinned: PinnedState;
/** What each of the queries has to answer. */
let asked: readonly { readonly query: LoweredQuery; readonly right: string }[];

beforeAll(async () => {
  lake = await serveLake();
  proxy = await openFaultProxy(lake.server.url);
  pinned = await lake.world.pinned();
  asked = await Promise.all(
    QUERIES.map(async (text) => {
      const query = lower(await parse(text), OPTIONS).lowered;
      return { query, right: JSON.stringify((await lake.world.engine.run(query, pinned, LIMITS)).rows) };
    }),
  );
});
afterAll(async () => {
  await proxy.close();
  await lake.close();
});

/** Both engines behind the proxy: what is larger than so many megabytes only ClickHouse can take. */
const opened = (clickhouseAboveMb: number) => {
  const { world, server } = lake;
  let passed = 0;
  const client = clientAs(proxy.url, server.platform, { graceMs: GRACE_MS });
  const clickhouse = openClickHouse({ ...world, client, cluster: "", directory: join(world.directory, "written") });
  const clock = { now: () => Date.now() + passed };
  const parts = { embedded: world.engine, neededBytes: world.engine.neededBytes, config: { clickhouseAboveMb }, clock };
  const counts = { add: async () => undefined };
  return {
    engine: openEngines({ ...parts, clickhouse, log: keptLog(), counts }),
    /** As if it had been left in peace since its last fault. */
    later: () => {
      passed += AWAY_MS;
    },
    close: () => clickhouse.close(),
  };
};

const limits: Limits = { ...LIMITS, timeMs: TIME_MS, engine: "clickhouse" };

/** The rows as JSON, or the error. */
const answer = (engine: Pick<Engine, "run">, query: LoweredQuery): Promise<unknown> =>
  engine.run(query, pinned, limits).then(
    ({ rows }) => JSON.stringify(rows),
    (error: unknown) => error,
  );

describe.each(Object.entries({ ...FAULTS, ...HANGS }))("when something between us and ClickHouse %s", (name, fault) => {
  it("what the own engine can take is answered rightly, and what it cannot is refused; then all is as before", async () => {
    const [small, large] = [opened(1_000), opened(0.000_001)];
    for (const { query, right } of asked) {
      proxy.use(fault);
      const own = await answer(small.engine, query);
      if (Object.hasOwn(HANGS, name)) expect(own, "there is no time left").toBeInstanceOf(Unavailable);
      else expect(own, name).toBe(right);
      expect(await answer(large.engine, query), name).toBeInstanceOf(Unavailable);
      proxy.use(PASS);
      for (const engines of [small, large]) {
        engines.later();
        expect((await engines.engine.run(query, pinned, limits)).engine).toBe("clickhouse");
        expect(await answer(engines.engine, query), name).toBe(right);
      }
    }
    await Promise.all([small.close(), large.close()]);
  });

  it("a table is written whole or not at all", async () => {
    const [text] = QUERIES;
    const tree = await parse(text ?? "");
    const { lowered } = lower(tree, OPTIONS);
    const engines = opened(0.000_001);
    const key = tableKey(PROJECT, "faults", lake.world.ids.ulid());
    proxy.use(fault);
    const written = await engines.engine
      .write(lowered, pinned, { timeMs: TIME_MS, engine: "clickhouse" }, key)
      .catch((error: unknown) => error);
    proxy.use(PASS);
    if (written instanceof Error) expect(await lake.world.objects.get(key)).toBeUndefined();
    else {
      const saved = { key, bytes: (await lake.world.objects.get(key))?.length ?? 0, columns: storedColumns(tree, OPTIONS) };
      const all = lower(await parse("SELECT * FROM saved"), { ...OPTIONS, tables: new Map([["saved", saved]]) }).lowered;
      expect(await answer(lake.world.engine, all)).toBe(asked[0]?.right);
    }
    await engines.close();
  });
});

it("answers rightly, or says that it cannot, while ClickHouse is killed again and again amid queries", async () => {
  proxy.use(PASS);
  const engines = opened(0.000_001);
  const outcomes = { right: 0, refused: 0 };
  for (let kills = 0; kills < 5; kills++) {
    engines.later();
    const { query, right } = asked[kills % asked.length] ?? expect.fail("nothing to ask");
    const running = answer(engines.engine, query);
    await pause(10 * kills);
    process.kill(lake.server.nodes[0]?.pid() ?? expect.fail("no server runs"), "SIGKILL");
    const outcome = await running;
    if (outcome instanceof Unavailable) outcomes.refused += 1;
    else outcomes.right += Number(outcome === right);
    for (let back: unknown; back !== right; ) {
      await pause(50);
      engines.later();
      back = await answer(engines.engine, query);
      if (back !== right) expect(back).toBeInstanceOf(Unavailable);
    }
  }
  expect(outcomes.right + outcomes.refused).toBe(5);
  await engines.close();
});
