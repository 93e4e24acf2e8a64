import { expect, test } from "vitest";
import { systemIds } from "../../../lib/app/system.ts";
import { SandboxRateCards } from "../../../lib/billing/sandbox-rate-cards.ts";
import * as store from "../../../lib/table/store.ts";
import { type MemoryTable, memoryTable } from "../../../test/simulation/ports/table.ts";
import { memoryTokenKeys } from "../../../test/support/memory-token-keys.ts";
import { applyDocument } from "./apply.ts";

/** In April, when of the cards below the first is in force. */
const APRIL = Date.UTC(2026, 3, 15);

const apply = (table: MemoryTable, ...sandbox_rate_cards: readonly object[]) => applyAt(APRIL, table, ...sandbox_rate_cards);

const applyAt = (now: number, table: MemoryTable, ...sandbox_rate_cards: readonly object[]) => {
  const clock = { now: () => now };
  return applyDocument({ table, clock, ids: systemIds(clock), tokenKeys: memoryTokenKeys() }, { sandbox_rate_cards });
};

const PRICES = { cpu_core_second_usd: "0.00001", memory_gib_second_usd: "0.000002" };
const card = (version: string, effective_at: string, expires_at: string | null = null) => ({
  version,
  effective_at,
  expires_at,
  ...PRICES,
});

const [SPRING, SUMMER, AUTUMN] = ["2026-03-01T00:00:00Z", "2026-06-01T00:00:00Z", "2026-09-01T00:00:00Z"] as const;

test("cards that follow one another are stored, whatever their order and their zones", async () => {
  const table = memoryTable();
  await apply(table, card("v2", "2026-06-01T02:00:00+02:00", AUTUMN), card("v1", SPRING, SUMMER));
  await apply(table, card("v3", AUTUMN));
  expect((await store.list(table, SandboxRateCards, "key", {})).map(({ version }) => version)).toEqual(["v1", "v2", "v3"]);
});

test.each([
  ["two without an end", [card("v1", SPRING), card("v2", SUMMER)], "[0].expires_at"],
  ["two at once", [card("v2", SUMMER), card("v1", SPRING, AUTUMN)], "[1].expires_at"],
  ["two that begin together", [card("v1", SPRING, SUMMER), card("v2", SPRING, SUMMER)], "[0].expires_at"],
  ["a gap", [card("v2", AUTUMN), card("v1", SPRING, SUMMER)], "[1].expires_at"],
])("cards are refused of which a moment has none or two: %s", async (_, cards, place) => {
  const table = memoryTable();
  const path = `sandbox_rate_cards${place}: `;
  await expect(apply(table, ...cards)).rejects.toThrow(new RegExp(`^${path.replace(/[[\].]/g, "\\$&")}`));
  expect(table.everything()).toEqual([]);
});

test("a card that follows a stored one says what to do about that", async () => {
  const table = memoryTable();
  await apply(table, card("v1", SPRING));
  const told = 'sandbox_rate_cards[0].effective_at: the card before, "v1", has no end: it must end when this one begins';
  await expect(apply(table, card("v2", SUMMER))).rejects.toThrow(told);
  await apply(table, card("v2", SUMMER), { version: "v1", expires_at: SUMMER });
  await expect(apply(table, { version: "v2", effective_at: AUTUMN })).rejects.toThrow(`"v1", ends at ${SUMMER}: it must end when`);
});

test("what is wrong among stored cards alone keeps no other from being given", async () => {
  const table = memoryTable();
  for (const each of [card("v1", SPRING), card("v2", SUMMER, AUTUMN)]) await store.put(table, SandboxRateCards, each);
  await apply(table, card("v3", AUTUMN));
  expect(await store.list(table, SandboxRateCards, "key", {})).toHaveLength(3);
});

test("a card that has begun prices its past for good; only its end may come, in a moment to come", async () => {
  const table = memoryTable();
  await apply(table, card("v1", SPRING));
  const refusal = (now: number, change: object) => applyAt(now, table, { version: "v1", ...change }).then(() => "nothing", String);
  for (const [change, field] of [
    [{ cpu_core_second_usd: "0.00002" }, "cpu_core_second_usd"],
    [{ memory_gib_second_usd: "0.00002" }, "memory_gib_second_usd"],
    [{ effective_at: SUMMER }, "effective_at"],
    [{ expires_at: "2026-04-14T00:00:00Z" }, "expires_at"],
  ] as const) {
    expect(await refusal(APRIL, change)).toContain(`sandbox_rate_cards[0].${field}: this card began at ${SPRING}, and `);
  }
  expect(await refusal(APRIL, { effective_at: "2026-03-01T01:00:00+01:00", expires_at: SUMMER, ...PRICES })).toBe("nothing");
  expect(await refusal(APRIL, { expires_at: AUTUMN })).toBe("nothing");
  expect(await refusal(Date.parse(AUTUMN), { expires_at: null })).toContain("sandbox_rate_cards[0].expires_at: this card began");
});

test("a card to come may still be changed", async () => {
  const table = memoryTable();
  await apply(table, card("v1", SUMMER));
  await apply(table, { version: "v1", effective_at: AUTUMN, cpu_core_second_usd: "0.5" });
  expect(await store.list(table, SandboxRateCards, "key", {})).toMatchObject([{ effective_at: AUTUMN, cpu_core_second_usd: "0.5" }]);
});
