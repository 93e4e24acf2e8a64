import { describe, expect, it } from "vitest";
import { ingest } from "../../../functions/ingest/ingest.ts";
import { Fingerprints } from "../../../lib/error-tracking/fingerprints.ts";
import { Issues } from "../../../lib/error-tracking/issues.ts";
import { ErrorTrackingSettings, SpikeDetectionConfigs } from "../../../lib/error-tracking/settings.ts";
import { SpikeEvents } from "../../../lib/error-tracking/spike-events.ts";
import { keyIn } from "../../../lib/table/partitions.ts";
import { list, put, update } from "../../../lib/table/store.ts";
import { deliveryOf } from "../../support/samples/capture-messages.ts";
import { ingestWorld, NOW } from "../../support/worlds/ingest-world.ts";

const ENOUGH = { remainingMs: () => 60_000 };

const anException = (type: string, timestamp: string, at = 0) => ({
  event: "$exception",
  distinct_id: `user-${at}`,
  timestamp,
  properties: { $exception_list: [{ type, value: "boom" }] },
});

const setup = async () => {
  const made = await ingestWorld([1]);
  const send = async (historical: boolean, ...events: readonly object[]) => {
    const message = deliveryOf(events, { organization: "", received: `${NOW}000`, historical });
    expect(await ingest([message], made.world, ENOUGH, "live")).toEqual({ failed: [] });
  };
  const issues = () => list(made.table, Issues, "key", { project: 1 });
  return { ...made, send, issues };
};

describe("an import of exceptions", () => {
  it("takes no rate limit, and raises no spike", async () => {
    const { table, send, rows } = await setup();
    const limits = { project_rate_limit_value: 5, project_rate_limit_bucket_size_minutes: 60 };
    const none = { per_issue_rate_limit_value: 2, per_issue_rate_limit_bucket_size_minutes: 60 };
    await put(table, ErrorTrackingSettings, { project: 1, ...limits, ...none });
    await put(table, SpikeDetectionConfigs, { project: 1, snooze_duration_minutes: 10, multiplier: 1, threshold: 10 });
    const old = (_: unknown, at: number) => anException("Old", "2025-06-01T10:00:00Z", at);
    await send(true, ...Array.from({ length: 100 }, old));
    expect(await rows(1)).toHaveLength(100);
    expect(await list(table, SpikeEvents, "key", { project: 1 })).toEqual([]);
  });

  it("is handled as live where it is younger than 48 hours", async () => {
    const { table, send, rows, issues } = await setup();
    const none = { project_rate_limit_value: null, project_rate_limit_bucket_size_minutes: null };
    const limits = { per_issue_rate_limit_value: 2, per_issue_rate_limit_bucket_size_minutes: 60 };
    await put(table, ErrorTrackingSettings, { project: 1, ...none, ...limits });
    await put(table, SpikeDetectionConfigs, { project: 1, snooze_duration_minutes: 10, multiplier: 1, threshold: 2 });
    const ago = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
    await send(true, ...Array.from({ length: 5 }, (_, at) => anException("Young", ago(47.9), at)));
    await send(true, ...Array.from({ length: 5 }, (_, at) => anException("Old", ago(48), at)));
    expect(await rows(1)).toHaveLength(2 + 5);
    const young = (await issues()).find(({ name }) => name === "Young");
    expect(await list(table, SpikeEvents, "key", { project: 1 })).toMatchObject([{ issue_id: young?.id }]);
  });

  it("opens a resolved issue only with what is later than the resolution", async () => {
    const { table, send, issues } = await setup();
    await send(false, anException("A", "2026-01-12T11:00:00Z"));
    const [issue] = await issues();
    const resolved = { status: "resolved", resolved_at: "2026-01-05T00:00:00.000000Z" } as const;
    await update(table, Issues, { project: 1, id: issue?.id ?? "" }, { set: resolved });
    await send(true, anException("A", "2026-01-04T23:59:59Z"));
    expect(await issues()).toMatchObject([{ status: "resolved" }]);
    await send(true, anException("A", "2026-01-05T00:00:01Z"));
    expect(await issues()).toMatchObject([{ status: "active" }]);
  });

  it("sets back when an issue was first seen, in whatever order events come", async () => {
    const { table, send, issues } = await setup();
    await send(false, anException("A", "2026-01-12T11:00:00Z"));
    await send(true, anException("A", "2025-03-01T10:00:00Z", 1), anException("A", "2024-03-01T10:00:00Z", 2));
    await send(true, anException("A", "2025-02-01T10:00:00Z", 3));
    const first_seen = "2024-03-01T10:00:00.000000Z";
    expect(await issues()).toMatchObject([{ first_seen }]);
    expect(await list(table, Fingerprints, "key", { project: 1 })).toMatchObject([{ first_seen }]);
  });
});

describe("a day's new issues", () => {
  it("are bounded: what would open more shares one issue, and nothing is lost", async () => {
    const { table, send, issues, rows } = await setup();
    await send(false, anException("Known", "2026-01-12T11:00:00Z"));
    const opened = keyIn("exceptionLimits", "opened", { project: 1, day: new Date(NOW).toISOString().slice(0, 10) });
    await table.update(opened, { set: { count: 10_000 } });
    await send(false, ...["Known", "New", "Newer"].map((type, at) => anException(type, "2026-01-12T11:00:00Z", at + 1)));
    expect((await issues()).map(({ name }) => name).sort()).toEqual(["Known", "More issues than a day may open"]);
    expect(await rows(1)).toHaveLength(4);
  });
});
