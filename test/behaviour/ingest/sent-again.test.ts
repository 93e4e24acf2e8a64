import { describe, expect, it } from "vitest";
import { serve } from "../../../functions/capture/serve.ts";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import type { Scan } from "../../../lib/hogql/lowered-query.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { anEngine } from "../../support/engine.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { aRequest } from "../../support/samples/capture-requests.ts";
import { aHousehold, apiWorld } from "../../support/worlds/api-world.ts";

const SECOND_MS = 1_000;
const MIDNIGHT = Date.UTC(2026, 10, 21);
const iso = (ms: number): string => new Date(ms).toISOString();

/** A request that is sent just before midnight, and again as it is after each of the pauses, because its answer did not come. */
const CLICKED = iso(MIDNIGHT - 20 * SECOND_MS);
const FIRST = MIDNIGHT - 10 * SECOND_MS;
const MINUTE_LATER = FIRST + 60 * SECOND_MS;
const HOUR_LATER = FIRST + 3_600 * SECOND_MS;

const UUID = "0190d0aa-0000-7000-8000-000000000001";
const OLD = "20 Nov";
const NEW = "21 Nov";

const objects = memoryObjects();
const engine = anEngine(objects);
const EVENTS: Scan = { kind: "events", name: "e", columns: ["timestamp"], from: null, to: null, events: null, distinctIds: null };
let projects = 0;

interface Sent {
  readonly event: object;
  readonly body?: object;
}

/** The days on which a query sees an event that was sent at each of these moments. */
const daysOf = async (moments: readonly number[], bodyAt: (moment: number) => Sent): Promise<readonly unknown[]> => {
  projects += 1;
  const { world, time, sent } = apiWorld({ objects: withoutDownloads(objects), engine: engine(), segments: openSegments });
  const { project } = await aHousehold(world, projects);
  for (const moment of moments) {
    time.now = moment;
    const { event, body } = bodyAt(moment);
    const batch = [{ event: "clicked", distinct_id: "ana", ...event }];
    expect((await serve(aRequest({ api_key: project.api_token, batch, ...body }), world)).status).toBe(200);
  }
  for (const lane of ["live", "historical"] as const) {
    const deliveries = sent.filter(({ queue }) => queue === lane).map(({ body }, at) => ({ id: `${lane}-${at}`, body, attempts: 1 }));
    if (deliveries.length > 0) expect(await ingest(deliveries, world, { remainingMs: () => 60_000 }, lane)).toEqual({ failed: [] });
  }
  const pinned = await pin(world, projects, null, { events: true, state: true });
  const query = {
    project: projects,
    sql: "SELECT strftime(timestamp, '%d %b') AS day FROM e ORDER BY day",
    parameters: [],
    scans: [EVENTS],
    columns: [],
    timezone: "UTC",
  };
  const { rows } = await engine().run(query, pinned, { timeMs: 10_000, maxRows: 100, maxReplyBytes: 1_000_000 });
  return rows.flat();
};

describe("an event that is sent again over midnight", () => {
  const sentAt = { sent_at: iso(FIRST) };
  const historical_migration = true;

  it.each<[string, Sent, readonly number[], readonly string[]]>([
    ["a uuid and a timestamp", { event: { uuid: UUID, timestamp: CLICKED } }, [FIRST, MINUTE_LATER, HOUR_LATER], [OLD]],
    [
      "a uuid and a timestamp, imported",
      { event: { uuid: UUID, timestamp: CLICKED }, body: { historical_migration, ...sentAt } },
      [FIRST, HOUR_LATER],
      [OLD],
    ],
    ["a timestamp, and the body a sent_at", { event: { timestamp: CLICKED }, body: sentAt }, [FIRST, MINUTE_LATER], [OLD]],
    ["a timestamp, imported", { event: { timestamp: CLICKED }, body: { historical_migration } }, [FIRST, HOUR_LATER], [OLD]],
  ])("is stored once with %s", async (_, sent, moments, days) => {
    expect(await daysOf(moments, () => sent)).toEqual(days);
  });

  it("is stored once however late, where the body's sent_at is of the attempt", async () => {
    const days = await daysOf([FIRST, HOUR_LATER], (moment) => ({
      event: { uuid: UUID, timestamp: CLICKED },
      body: { sent_at: iso(moment) },
    }));
    expect(days).toEqual([OLD]);
  });

  it.each<[string, Sent, readonly number[]]>([
    ["a uuid and no timestamp", { event: { uuid: UUID } }, [FIRST, MINUTE_LATER]],
    ["a uuid and an offset", { event: { uuid: UUID, offset: 5_000 } }, [FIRST, MINUTE_LATER]],
    [
      "a uuid and a time of two days ahead",
      { event: { uuid: UUID, timestamp: iso(MIDNIGHT + 172_800 * SECOND_MS) } },
      [FIRST, MINUTE_LATER],
    ],
    ["a uuid and no timestamp, imported", { event: { uuid: UUID }, body: { historical_migration, ...sentAt } }, [FIRST, MINUTE_LATER]],
    ["a sent_at of more than two minutes ago", { event: { uuid: UUID, timestamp: CLICKED }, body: sentAt }, [FIRST, HOUR_LATER]],
  ])("is stored on both days with %s", async (_, sent, moments) => {
    expect(await daysOf(moments, () => sent)).toEqual([OLD, NEW]);
  });

  it("is another event each time with neither a uuid nor a sent_at", async () => {
    expect(await daysOf([FIRST, MINUTE_LATER], () => ({ event: { timestamp: CLICKED } }))).toEqual([OLD, OLD]);
  });
});
