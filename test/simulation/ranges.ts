import { daysWithin, overlap } from "../../lib/event/time-partitions.ts";
import type { EventRange } from "../../lib/lake/pin.ts";
import type { Copy } from "../model/copies.ts";
import { BILLED_EVENTS } from "./billed.ts";
import { STORED_IDS } from "./ids.ts";
import type { Random } from "./random.ts";
import { EVENTS } from "./scenario.ts";

const DAY_MS = 86_400_000;
const US_PER_MS = 1_000;

export const EVERYTHING: EventRange = { from: null, to: null, events: null, distinctIds: null };

/** What a query asks for: everything, or some of the time, the events and the persons. */
export const rangeOf = (random: Random, start: number): EventRange => {
  if (random.chance(0.4)) return EVERYTHING;
  const from = start - random.next() * random.next() * random.pick([2, 35, 400]) * DAY_MS;
  const to = from + random.pick([0.02, 1, 40, 400]) * DAY_MS;
  return {
    from: random.chance(0.5) ? microseconds(from) : null,
    to: random.chance(0.3) ? microseconds(to) : null,
    events: random.chance(0.5) ? someOf(random, [...EVENTS, ...BILLED_EVENTS]) : null,
    distinctIds: random.chance(0.3) ? someOf(random, STORED_IDS) : null,
  };
};

/** Whether a range asks for an event; of the time, only whole days are part of an identity. */
export const asksFor = (range: EventRange): ((copy: Copy) => boolean) => {
  const days = daysWithin(range);
  return ({ day, event, distinctId }) => {
    if (!overlap([day, day], days)) return false;
    return (range.events?.includes(event) ?? true) && (range.distinctIds?.includes(distinctId) ?? true);
  };
};

const microseconds = (ms: number): bigint => BigInt(Math.floor(ms)) * BigInt(US_PER_MS);

const someOf = (random: Random, all: readonly [string, ...(readonly string[])]): readonly string[] => {
  const some = all.filter(() => random.chance(0.4));
  return some.length > 0 ? some : [random.pick([...all])];
};
