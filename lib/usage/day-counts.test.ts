import { describe, expect, it } from "vitest";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import { parseTime } from "../event/times.ts";
import { countsRecordings, countUsage } from "./day-counts.ts";

const on = (time: string, changes: Parameters<typeof anEventRow>[0] = {}) => anEventRow({ timestamp: parseTime(time) ?? 0n, ...changes });
const dayOf = (time: string): number => Date.parse(time) / 86_400_000;
const TODAY = "2026-01-12T23:59:59.999999Z";
const DAY = dayOf("2026-01-12T00:00:00Z");

describe("usage counts", () => {
  it("count an event, and again when it is of a person", () => {
    const rows = [on(TODAY), on(TODAY, { person_mode: "propertyless" }), on("2026-01-13T00:00:00Z")];
    expect(countUsage(rows)).toEqual({
      [DAY]: { event_count_in_period: 2, enhanced_persons_event_count_in_period: 1 },
      [DAY + 1]: { event_count_in_period: 1, enhanced_persons_event_count_in_period: 1 },
    });
  });

  it("count exceptions, model calls and survey answers by themselves, and some events not at all", () => {
    const names = ["$exception", "$ai_generation", "$ai_trace", "survey sent", "survey shown", "$feature_flag_called"];
    const ofTour = on(TODAY, { event: "survey sent", properties: '{"$product_tour_id":"x"}' });
    const ofNone = on(TODAY, { event: "survey sent", properties: '{"$product_tour_id":null}' });
    const inWords = on(TODAY, { event: "survey sent", properties: '{"answer":"what is $product_tour_id?"}' });
    expect(countUsage([...names.map((event) => on(TODAY, { event })), ofTour, ofNone, inWords])).toEqual({
      [DAY]: {
        exceptions_captured_in_period: 1,
        ai_event_count_in_period: 2,
        survey_responses_count_in_period: 3,
      },
    });
  });

  it("say nothing of a day on which nothing counts", () => {
    expect(countUsage([on(TODAY, { event: "survey shown" })])).toEqual({});
  });

  it("keep imports under names that nothing bills", () => {
    expect(countUsage([on(TODAY, { historical: true })])).toEqual({
      [DAY]: { "historical:event_count_in_period": 1, "historical:enhanced_persons_event_count_in_period": 1 },
    });
  });

  it.each([
    ["$exception", ["exceptions_captured_in_period"]],
    ["$ai_generation", ["ai_event_count_in_period"]],
    ["survey sent", ["survey_responses_count_in_period"]],
    ["$$recording", ["recording_count_in_period"]],
    ["$$mobile_recording", ["mobile_recording_count_in_period", "mobile_billable_recording_count_in_period"]],
    ["$pageview", ["event_count_in_period", "enhanced_persons_event_count_in_period"]],
    ["$snapshot", []],
    ["$feature_flag_called", []],
    ["$experiment_exposure", []],
    ["$conversations_loaded", []],
    ["$conversations_widget_loaded", []],
    ["$conversations_message_sent", []],
    ["$conversations_user_identified", []],
    ["$conversations_restore_link_requested", []],
    ["$conversations_widget_state_changed", []],
    ["$conversations_back_to_tickets", []],
  ])("of %s are the same of an import, under names of its own", (event, types) => {
    const counts = (prefix: string) =>
      types.length === 0 ? {} : { [DAY]: Object.fromEntries(types.map((type) => [`${prefix}${type}`, 1])) };
    const [live, imported] = [false, true].map((historical) => countUsage([on(TODAY, { event, historical })]));
    expect([live, imported]).toEqual([counts(""), counts("historical:")]);
    const isRecording = event.endsWith("recording");
    for (const usage of [live ?? {}, imported ?? {}]) {
      expect(countsRecordings({ usage })).toBe(isRecording);
      expect(countsRecordings({ usage: { ...usage, [DAY + 1]: { event_count_in_period: 1 } } })).toBe(isRecording);
    }
  });

  it("tell of rows that count sessions by a keyed count, though these are no usage", () => {
    const rows = [on(TODAY, { event: "$$recording", properties: '{"$session_id":"x"}' })];
    expect(countsRecordings({ usage: countUsage(rows) })).toBe(true);
    expect(countsRecordings({ usage: countUsage([on(TODAY, { event: "$snapshot", properties: '{"$session_id":"x"}' })]) })).toBe(false);
  });

  it("put days before 2015 under the first day of their year", () => {
    const rows = ["0000-05-05T00:00:00Z", "1969-12-31T23:59:59Z", "2014-12-31T23:59:59Z", "2015-01-02T00:00:00Z"].map((time) => on(time));
    expect(
      Object.keys(countUsage(rows))
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(["0000-01-01T00:00:00Z", "1969-01-01T00:00:00Z", "2014-01-01T00:00:00Z", "2015-01-02T00:00:00Z"].map(dayOf));
  });
});
