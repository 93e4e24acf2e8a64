import { expect, it } from "vitest";
import { beginning, grown, keyOf, type LiveEvent, type LiveEvents, lastHour, lastMinute, MINUTE_MS, MOST_EVENTS } from "./feed.ts";

const NOON = Date.parse("2026-11-23T12:00:00Z");

const event = (id: number, agoMs = 0): LiveEvent => {
  const at = new Date(NOON - agoMs).toISOString();
  return { uuid: `id-${id}`, event: "signed up", timestamp: at, created_at: at, distinct_id: "ana", person_id: "p", properties: {} };
};

const answer = (results: readonly LiveEvent[], more: Partial<LiveEvents> = {}): LiveEvents => ({
  results: [...results],
  next: "cursor",
  minutes: [],
  has_more: false,
  ...more,
});

const minute = (ago: number, events: number) => ({ minute: new Date(NOON - ago * MINUTE_MS).toISOString(), events });

it("puts what came before what was there, and an event that is sent again nowhere", () => {
  const feed = grown(beginning(answer([event(2), event(1)])), answer([event(3), event(2)]));
  expect(feed.events.map(({ uuid }) => uuid)).toEqual(["id-3", "id-2", "id-1"]);
  expect(feed.arrived).toBe(3);
});

it("keeps the newest events alone, and knows from when on none is left out", () => {
  const all = Array.from({ length: MOST_EVENTS }, (_, place) => event(place, place * 1_000));
  const feed = grown(beginning(answer(all)), answer([event(-1)]));
  expect(feed.events).toHaveLength(MOST_EVENTS);
  expect(feed.events.at(0)?.uuid).toBe("id--1");
  expect(feed.wholeSince).toBe(NOON - (MOST_EVENTS - 2) * 1_000);
});

it("tells events apart that have one id and two names", () => {
  expect(keyOf(event(1))).not.toBe(keyOf({ ...event(1), event: "left" }));
});

it("says that events were left out, except of those before it began", () => {
  const feed = beginning(answer([event(1)], { has_more: true }));
  expect([feed.cut, feed.isCut]).toEqual([0, false]);
  const cut = grown(feed, answer([event(2)], { has_more: true }));
  expect([cut.cut, cut.isCut]).toEqual([1, true]);
  expect(grown(cut, answer([]))).toMatchObject({ cut: 1, isCut: false });
});

it("takes the new number of a minute that changed, and has no place for those of more than an hour ago", () => {
  const feed = grown(
    beginning(answer([], { minutes: [minute(59, 7), minute(1, 2)] })),
    answer([], { minutes: [minute(1, 5), minute(-1, 1)] }),
  );
  expect(lastHour(feed, NOON + MINUTE_MS).slice(-3)).toEqual([5, 0, 1]);
  expect([...feed.minutes.values()]).not.toContain(7);
  expect(lastHour(feed, NOON)).toHaveLength(60);
});

it("counts the events of the last sixty seconds where all of them are here", () => {
  const feed = beginning(answer([event(1, 10_000), event(2, 59_000), event(3, 61_000)]));
  expect(lastMinute(feed, NOON)).toBe(2);
});

it("reckons the last sixty seconds from the minutes where there are more than are kept", () => {
  const feed = grown(beginning(answer([], { minutes: [minute(1, 600), minute(0, 100)] })), answer([event(1)], { has_more: true }));
  expect(lastMinute(feed, NOON + 15_000)).toBe(100 + 450);
});
