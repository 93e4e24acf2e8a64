import { describe, expect, it } from "vitest";
import { lower } from "../../../lib/hogql/lower.ts";
import { parse } from "../../../lib/hogql/parse.ts";
import { STATE_ENTRY } from "../../../lib/lake/catalogue.ts";
import { readHead } from "../../../lib/lake/head.ts";
import { pin } from "../../../lib/lake/pin.ts";
import { projectUsage } from "../../../lib/usage/roll-ups.ts";
import { aPlatform, aTenant, eventually } from "../../support/processes/platform.ts";

describe("a batch that was answered 200", () => {
  const platform = aPlatform();

  const ask = async (project: number, text: string) => {
    const { world } = platform();
    const pinned = await pin(world, project, null, { events: true, state: true });
    const limits = { timeMs: 10_000, maxRows: 100, maxReplyBytes: 1_000_000 };
    const options = { project, timezone: "UTC", now: world.clock.now(), variables: {}, page: null };
    return (await world.engine.run(lower(await parse(text), options).lowered, pinned, limits)).rows;
  };

  it("is seen with its persons merged, before and after it is gathered and folded, and counted once", async () => {
    const { world, ingestUrl } = platform();
    const tenant = await aTenant(world);
    const now = new Date(world.clock.now()).toISOString();
    const batch = [
      { event: "viewed", distinct_id: "anon", timestamp: now },
      { event: "$identify", distinct_id: "ann", timestamp: now, properties: { $anon_distinct_id: "anon", $set: { plan: "pro" } } },
      { event: "bought", distinct_id: "ann", timestamp: now },
    ];
    const body = JSON.stringify({ api_key: tenant.projectToken, batch, sent_at: now });
    for (const _ of [1, 2]) expect((await fetch(`${ingestUrl}/batch/`, { method: "POST", body })).status).toBe(200);

    const seen = async (): Promise<void> => {
      const rows = await ask(tenant.projectId, "SELECT event, person.properties FROM events ORDER BY event");
      expect(rows).toEqual(["$identify", "bought", "viewed"].map((event) => [event, '{"plan":"pro"}']));
    };
    await eventually(seen);
    await eventually(async () => {
      const { manifests } = await readHead(world.table, tenant.projectId);
      expect(Object.keys(manifests)).toEqual(expect.arrayContaining([STATE_ENTRY, now.slice(0, 7)]));
    });
    await seen();
    const day = Math.floor(Date.parse(now) / 86_400_000);
    await eventually(async () => {
      const usage = await projectUsage(world, { organization: tenant.organizationId, project: tenant.projectId }, day, day);
      expect(usage[day]).toEqual({ event_count_in_period: 3, enhanced_persons_event_count_in_period: 3 });
    });
  });
});
