import { describe, expect, it } from "vitest";
import { code } from "../../../functions/code/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { type SandboxRateCard, SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
import { put } from "../../../lib/table/store.ts";
import { apiWorld, ask } from "../../support/worlds/api-world.ts";

const PATH = "/api/code/sandbox-pricing/";

const aCard = async (world: World, version: string, effective_at: string, expires_at: string | null): Promise<void> => {
  const prices = { cpu_core_second_usd: "0.0000110", memory_gib_second_usd: "0.0000000021" };
  const card: SandboxRateCard = { version, effective_at, expires_at, ...prices };
  await put(world.table, SandboxRateCards, card);
};

describe("GET /api/code/sandbox-pricing/", () => {
  it("names no price where none was set, without asking for a key", async () => {
    const { world } = apiWorld();
    expect(await ask(code, world, "GET", PATH)).toMatchObject({ status: 200, json: { current: null, history: [] } });
    expect(await ask(code, world, "GET", PATH, { key: "phx_unknown" })).toMatchObject({ status: 200 });
  });

  it("shows the card that holds now and those that have expired, newest first, and none of the future", async () => {
    const { world } = apiWorld();
    await aCard(world, "v1", "2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z");
    await aCard(world, "v10", "2026-03-01T00:00:00Z", "2026-12-01T00:00:00Z");
    await aCard(world, "v2", "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z");
    await aCard(world, "v11", "2026-12-01T00:00:00Z", null);
    expect((await ask(code, world, "GET", PATH)).json).toEqual({
      current: {
        version: "v10",
        effective_at: "2026-03-01T00:00:00Z",
        expires_at: "2026-12-01T00:00:00Z",
        cpu_core_second_usd: "0.0000110",
        memory_gib_second_usd: "0.0000000021",
      },
      history: [expect.objectContaining({ version: "v2" }), expect.objectContaining({ version: "v1" })],
    });
  });

  it("a card holds from its first moment, and not at its last", async () => {
    const { world, time } = apiWorld();
    await aCard(world, "v1", "2026-01-01T00:00:00+01:00", "2026-02-01T00:00:00Z");
    time.now = Date.parse("2025-12-31T22:59:59.999Z");
    expect((await ask(code, world, "GET", PATH)).json).toEqual({ current: null, history: [] });
    time.now = Date.parse("2025-12-31T23:00:00Z");
    const current = { version: "v1", effective_at: "2025-12-31T23:00:00Z", expires_at: "2026-02-01T00:00:00Z" };
    expect((await ask(code, world, "GET", PATH)).json).toMatchObject({ current, history: [] });
    time.now = Date.parse("2026-02-01T00:00:00Z");
    expect((await ask(code, world, "GET", PATH)).json).toMatchObject({ current: null, history: [{ version: "v1" }] });
  });

  it("is only read", async () => {
    const { world } = apiWorld();
    expect(await ask(code, world, "POST", PATH)).toMatchObject({ status: 405 });
    expect(await ask(code, world, "HEAD", PATH)).toMatchObject({ status: 200, body: "" });
    expect((await ask(code, world, "OPTIONS", PATH)).status).toBeLessThan(300);
  });
});
