import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import { recordingEvent } from "../event/recordings.ts";
import { countUsage, type DayCounts } from "./day-counts.ts";
import { type Neighbours, NO_NEIGHBOURS, resolveKeyedCounts } from "./resolve-keyed-counts.ts";

const MIDNIGHT = Date.UTC(2026, 0, 12) / 86_400_000;
const on = (day: number, event: string, properties: object, historical = false) =>
  anEventRow({ timestamp: BigInt(MIDNIGHT + day) * 86_400_000_000n, event, historical, properties: JSON.stringify(properties) });
type Row = ReturnType<typeof on>;

const counted = (rows: readonly Row[], beside: Partial<Neighbours> = {}): DayCounts =>
  resolveKeyedCounts(countUsage(rows), { ...NO_NEIGHBOURS, ...beside });
const ofDay = (rows: readonly Row[], day = 0) => counted(rows)[String(MIDNIGHT + day)];

const Sent = z.object({ event: z.string(), distinct_id: z.string(), timestamp: z.string(), properties: z.object({}).loose() });
const answer = (submission: string, survey = "s") => ({ $survey_id: survey, $survey_submission_id: submission });

describe("surveys", () => {
  it("count one answer for a submission that was sent in parts, on the day of the first, and each event that names none", () => {
    const rows = [
      on(0, "survey sent", answer("a")),
      on(0, "survey sent", answer("a")),
      on(0, "survey sent", answer("a", "other")),
      on(0, "survey sent", answer("b")),
      on(1, "survey sent", answer("b")),
      on(0, "survey sent", {}),
      on(0, "survey sent", { ...answer("c"), $product_tour_id: "t" }),
    ];
    expect([ofDay(rows), ofDay(rows, 1)]).toEqual([{ survey_responses_count_in_period: 4 }, undefined]);
  });
  it("that began in the partition before are counted there, however long ago", () => {
    const before = countUsage([on(-20, "survey sent", answer("a"))]);
    const rows = [on(0, "survey sent", answer("a")), on(3, "survey sent", answer("b")), on(9, "survey sent", answer("a"))];
    expect(counted(rows, { before })).toEqual({ [MIDNIGHT + 3]: { survey_responses_count_in_period: 1 } });
    expect(counted(rows, { after: before })).toEqual({
      [MIDNIGHT]: { survey_responses_count_in_period: 1 },
      [MIDNIGHT + 3]: { survey_responses_count_in_period: 1 },
    });
  });
});

describe("recordings", () => {
  const piece = (day: number, session: string, source = "web") => on(day, "$snapshot", { $session_id: session, $snapshot_source: source });
  it("count once, on the day that they begin, those of the web and of mobile applications apart, and are no events", () => {
    const rows = [
      piece(0, "a"),
      piece(0, "a"),
      piece(1, "a"),
      piece(0, "m", "mobile"),
      piece(1, "b"),
      piece(3, "a"),
      on(0, "$snapshot", {}),
    ];
    expect(counted(rows)).toEqual({
      [MIDNIGHT]: { recording_count_in_period: 1, mobile_recording_count_in_period: 1, mobile_billable_recording_count_in_period: 1 },
      [MIDNIGHT + 1]: { recording_count_in_period: 1 },
      [MIDNIGHT + 3]: { recording_count_in_period: 1 },
    });
  });
  it("that went on from the day before the first are not counted again", () => {
    const before = countUsage([piece(-1, "a"), piece(-2, "b")]);
    expect(counted([piece(0, "a"), piece(0, "b")], { before })).toEqual({ [MIDNIGHT]: { recording_count_in_period: 1 } });
    expect(counted([piece(0, "a"), piece(5, "a")], { before })).toEqual({ [MIDNIGHT + 5]: { recording_count_in_period: 1 } });
    expect(counted([piece(0, "a")], { before })).toEqual({});
  });
  it("whose id tells no beginning, of which there is one row a day, are counted once, too", () => {
    const session = (day: number, source: "web" | "mobile", id = "some-session") => {
      const { event, properties, distinct_id, timestamp } = Sent.parse(recordingEvent(id, source, (MIDNIGHT + day) * 86_400_000 + 5));
      const micros = BigInt(Date.parse(timestamp)) * 1_000n;
      return anEventRow({ event, distinct_id, timestamp: micros, person_mode: "propertyless", properties: JSON.stringify(properties) });
    };
    const web = { recording_count_in_period: 1 };
    const mobile = { mobile_recording_count_in_period: 1, mobile_billable_recording_count_in_period: 1 };
    const began = (MIDNIGHT * 86_400_000).toString(16).padStart(12, "0");
    const timed = `${began.slice(0, 8)}-${began.slice(8)}-7abc-8def-000000000001`;
    expect(counted([session(0, "web"), session(1, "web")])).toEqual({ [MIDNIGHT]: web });
    expect(counted([session(1, "mobile"), session(1, "mobile", "b")])[MIDNIGHT + 1]).toMatchObject({ mobile_recording_count_in_period: 2 });
    expect(counted([session(1, "mobile")], { before: countUsage([session(0, "mobile")]) })).toEqual({});
    expect(counted([session(0, "mobile"), session(0, "web", timed)])).toEqual({ [MIDNIGHT]: { ...web, ...mobile } });
  });
  it("of both kinds at once are of the web, and those of mobile applications go on over midnight, too", () => {
    const mobile = { mobile_recording_count_in_period: 1, mobile_billable_recording_count_in_period: 1 };
    expect(counted([piece(0, "a", "mobile"), piece(0, "a"), piece(1, "a", "mobile")])).toEqual({
      [MIDNIGHT]: { recording_count_in_period: 1 },
    });
    expect(counted([piece(0, "m", "mobile"), piece(1, "m", "mobile")])).toEqual({ [MIDNIGHT]: mobile });
  });
  it("are counted in the order of days before 1970, too", () => {
    const early = (day: number) => ({ [`${day}`]: countUsage([piece(0, "a")])[String(MIDNIGHT)] ?? {} });
    expect(resolveKeyedCounts({ ...early(-3), ...early(-1), ...early(-2) })).toEqual({ "-3": { recording_count_in_period: 1 } });
    const answers = { ...countUsage([on(0, "survey sent", answer("a"))])[String(MIDNIGHT)] };
    expect(resolveKeyedCounts({ "-1": answers, "-2": answers })).toEqual({ "-2": { survey_responses_count_in_period: 1 } });
  });
});

describe("credits", () => {
  const generation = (cost: unknown, more: object = {}) =>
    on(0, "$ai_generation", { ai_product: "assistant", $ai_billable: true, $ai_total_cost_usd: cost, ...more });
  const trace = (id: string, ...calls: readonly object[]) => traceOn(0, id, ...calls);
  const traceOn = (day: number, id: string, ...calls: readonly object[]) =>
    on(day, "$ai_trace", {
      $ai_trace_id: id,
      $ai_output_state: {
        messages: [
          { type: "assistant", tool_calls: [{ name: "insights", args: {} }] },
          { type: "human", content: "and now?" },
          { type: "assistant", tool_calls: calls },
        ],
      },
    });
  const credits = (...rows: readonly Row[]): number => ofDay(rows)?.ai_credits_used_in_period ?? 0;
  it("are cents with a fifth on top, rounded once a day, half to even", () => {
    expect(credits(generation(0.5))).toBe(60);
    expect(credits(generation(0.02084), generation(0.02083))).toBe(5);
    expect([credits(generation(0.0125)), credits(generation(0.0375)), credits(generation(0.020834))]).toEqual([2, 4, 2]);
    expect([credits(generation(0.004)), credits(generation("0.5")), credits(generation(-1)), credits(generation("x"))]).toEqual([
      0, 60, 0, 0,
    ]);
  });
  it("are used by billable generations of the assistant only", () => {
    const none = [{ $ai_billable: false }, { $ai_billable: null }, { ai_product: "mine" }, { task_origin_product: "task_analysis" }];
    for (const more of none) expect(credits(generation(1, more))).toBe(0);
    expect(credits(generation(1, { $ai_billable: "true", ai_product: "surveys" }))).toBe(120);
    expect(ofDay([generation(0.5, { ai_product: "service_code" })])).toEqual({
      ai_event_count_in_period: 1,
      service_code_token_credits_used_in_period: 50,
      service_code_credits_used_in_period: 50,
    });
    const large = Array.from({ length: 10 }, () => generation(100_000, { ai_product: "service_code" }));
    expect(ofDay(large)?.service_code_credits_used_in_period).toBe(100_000_000);
  });
  it("are not used in a trace whose last turn called only what is free", () => {
    const inTrace = generation(1, { $ai_trace_id: "t" });
    const free = { name: "search", args: { kind: "docs" } };
    expect(credits(inTrace)).toBe(120);
    expect(credits(inTrace, trace("t"))).toBe(120);
    expect(credits(inTrace, trace("other", free))).toBe(120);
    expect(credits(inTrace, trace("t", free))).toBe(0);
    expect(ofDay([inTrace, trace("t", free)])).toEqual({ ai_event_count_in_period: 2 });
    expect(credits(inTrace, trace("t", free, { name: "summarize_sessions" }))).toBe(0);
    expect(credits(inTrace, trace("t", free, { name: "insights" }))).toBe(120);
    expect(credits(inTrace, trace("t", { name: "search", args: { kind: "insights" } }))).toBe(120);
    expect(credits(inTrace, generation(2), trace("t", free))).toBe(240);
    for (const day of [-1, 1, 5]) expect(credits(inTrace, traceOn(day, "t", free))).toBe(0);
    const beside = countUsage([traceOn(31, "t", free)]);
    expect([counted([inTrace], { after: beside }), counted([inTrace], { before: beside })]).toEqual([
      { [MIDNIGHT]: { ai_event_count_in_period: 1 } },
      { [MIDNIGHT]: { ai_event_count_in_period: 1 } },
    ]);
  });
});

it("nothing of an import has a keyed count", () => {
  const imported = [on(0, "survey sent", answer("a"), true), on(0, "$snapshot", { $session_id: "a" }, true)];
  expect(ofDay(imported)).toEqual({ "historical:survey_responses_count_in_period": 1 });
});

it("counts of files come to the same however rows are spread over them, and whatever is counted twice and taken back", () => {
  const row = fc.oneof(
    fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b")).map(([day, id]) => on(day, "survey sent", answer(id))),
    fc.tuple(fc.integer({ min: 0, max: 3 }), fc.constantFrom("a", "b")).map(([day, id]) => on(day, "$snapshot", { $session_id: id })),
    fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 9 }))
      .map(([day, cost]) => on(day, "$ai_generation", { ai_product: "assistant", $ai_billable: true, $ai_total_cost_usd: cost / 1_000 })),
  );
  const sum = (all: readonly (readonly [DayCounts, number])[]): DayCounts => {
    const days: Record<string, Record<string, number>> = {};
    for (const [counts, sign] of all)
      for (const [day, types] of Object.entries(counts))
        for (const [type, count] of Object.entries(types)) {
          const own = days[day] ?? {};
          days[day] = own;
          own[type] = (own[type] ?? 0) + sign * count;
          if (own[type] === 0) delete own[type];
        }
    return days;
  };
  void fc.assert(
    fc.property(fc.array(fc.tuple(row, fc.integer({ min: 0, max: 2 }), fc.boolean()), { maxLength: 20 }), (rows) => {
      const files = [0, 1, 2].map((file) => countUsage(rows.filter(([, own]) => own === file).map(([each]) => each)));
      const copies = countUsage(rows.filter(([, , copied]) => copied).map(([each]) => each));
      const spread = sum([...files.map((file) => [file, 1] as const), [copies, 1], [copies, -1]]);
      expect(resolveKeyedCounts(spread)).toEqual(counted(rows.map(([each]) => each)));
    }),
  );
});
