import { describe, expect, it } from "vitest";
import { EVENT_RESOURCES, type EventResource, isDropped } from "./quota-resources.ts";

const ofTour = (tour: unknown) => ({ event: "survey sent", properties: { $product_tour_id: tour } });

const FAMILIES: readonly (readonly [Parameters<typeof isDropped>[0], EventResource])[] = [
  [{ event: "$exception" }, "exceptions"],
  [{ event: "$ai_generation" }, "llm_events"],
  [{ event: "$ai_of_tomorrow" }, "llm_events"],
  [{ event: "survey sent" }, "survey_responses"],
  [{ event: "survey shown", properties: {} }, "survey_responses"],
  [{ event: "survey dismissed" }, "survey_responses"],
  [ofTour(null), "survey_responses"],
  [ofTour("t"), "events"],
  [{ event: "survey" }, "events"],
  [{ event: "$pageview", properties: { $product_tour_id: null } }, "events"],
  [{ event: "$snapshot" }, "events"],
];

describe("an event", () => {
  it.each(FAMILIES)("%j counts against %s, and is dropped by the quota for these and by no other", (event, family) => {
    const dropping = EVENT_RESOURCES.filter((resource) => isDropped(event, [resource]));
    expect(dropping).toEqual(event.event === "$snapshot" ? ["events", "recordings"] : [family]);
    expect(isDropped(event, [])).toBe(false);
    expect(isDropped(event, EVENT_RESOURCES)).toBe(true);
  });
});
