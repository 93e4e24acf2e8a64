import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../core/time.ts";
import { nextState, type QuotaFacts, type QuotaState } from "./quota-rules.ts";

const PERIOD = { start: Date.UTC(2026, 10, 1), end: Date.UTC(2026, 11, 1) };
const NOON = Date.UTC(2026, 10, 20, 12);
const FREE: QuotaState = { limited_until: null, suspended_until: null, suspended_since: null };
const LIMITED: QuotaState = { ...FREE, limited_until: PERIOD.end };

const facts = (given: Partial<QuotaFacts> = {}): QuotaFacts => ({
  resource: "events",
  usage: 100,
  limit: 100,
  period: PERIOD,
  neverDrops: false,
  retains: false,
  trust: 0,
  ...given,
});

const state = (given: Partial<QuotaFacts>, before?: QuotaState, now = NOON): QuotaState => nextState(facts(given), before, now);

describe("a resource", () => {
  it("is limited until the period's end as soon as its use reaches its limit", () => {
    expect(state({ usage: 99 })).toEqual(FREE);
    expect(state({ usage: 100 })).toEqual(LIMITED);
    expect(state({ limit: null })).toEqual(FREE);
  });

  it("is free again when its limit is raised", () => {
    expect(state({ limit: 101 }, LIMITED)).toEqual(FREE);
  });

  it("may be a thousand recordings over its limit", () => {
    expect(state({ resource: "recordings", usage: 1_099 })).toEqual(FREE);
    expect(state({ resource: "recordings", usage: 1_100 })).toEqual(LIMITED);
  });

  it("is never limited for those whose data are never dropped, unless it is AI credits", () => {
    expect(state({ neverDrops: true }, LIMITED)).toEqual(FREE);
    expect(state({ neverDrops: true, resource: "ai_credits" })).toEqual(LIMITED);
  });

  it("is not limited anew for those whose data are retained, whatever it is, but a limit that holds goes on", () => {
    expect(state({ retains: true })).toEqual(FREE);
    expect(state({ retains: true, resource: "ai_credits" })).toEqual(FREE);
    expect(state({ retains: true, trust: 15 })).toEqual(FREE);
    expect(state({ retains: true }, LIMITED)).toEqual(LIMITED);
    expect(state({ retains: true }, LIMITED, PERIOD.end + 1)).toEqual(FREE);
  });

  it.each([
    ["events", 0, 0],
    ["events", 3, 0],
    ["events", 7, 1],
    ["events", 10, 3],
    ["events", 15, 5],
    ["feature_flag_requests", 0, 2],
    ["feature_flag_requests", 15, 5],
    ["ai_credits", 15, 0],
  ] as const)("%s with trust %i has %i days of grace after the day", (resource, trust, days) => {
    const expected = { limited_until: null, suspended_until: Date.UTC(2026, 10, 21) + days * DAY_MS, suspended_since: NOON };
    expect(state({ resource, trust })).toEqual(days === 0 ? LIMITED : expected);
  });

  it("keeps a grace that runs, and is limited when it is over", () => {
    const grace = state({ trust: 7 });
    expect(state({ trust: 15, usage: 200 }, grace, NOON + DAY_MS)).toEqual(grace);
    expect(state({ trust: 7 }, grace, Date.UTC(2026, 10, 22))).toEqual(LIMITED);
  });

  it("has a new grace in a new period, but stays limited within one", () => {
    const old: QuotaState = { limited_until: null, suspended_until: Date.UTC(2026, 9, 30), suspended_since: Date.UTC(2026, 9, 25) };
    expect(state({ trust: 7 }, old)).toMatchObject({ suspended_since: NOON });
    expect(state({ trust: 15 }, LIMITED)).toEqual(LIMITED);
  });
});
