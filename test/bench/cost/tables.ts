import { Defect } from "../../../lib/core/unreachable.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { corpus } from "../corpus.ts";
import { type Amounts, beyond, scaled } from "./bill.ts";
import { bodyOf, type Measured, START } from "./loads.ts";
import { meteredPlatform } from "./platform.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ENDPOINTS = 20;
const STANDS_FOR = 1_000;
const DAYS_A_MONTH = 30.4;
const HISTORY_DAYS = 60;
const EVENTS_A_DAY = 1_000;
const QUERY =
  "SELECT toDate(timestamp) AS day, count() AS n, max(distinct_id) FROM events WHERE event = {variables.e} AND timestamp >= {variables.from} GROUP BY day ORDER BY day";

/** A day in which each of some tables is made once more, over a project that grows every hour; as a month of a thousand, beyond the same day without them. */
export const refreshing = async (): Promise<Measured> => {
  const [withTables, without] = [await aDay(ENDPOINTS), await aDay(0)];
  const factor = (STANDS_FOR / ENDPOINTS) * DAYS_A_MONTH;
  return {
    title: "1,000 materialised endpoints, each made anew every day, for a month",
    how: `a day of ${ENDPOINTS} over ${HISTORY_DAYS} days of ${EVENTS_A_DAY} events, beyond that day without them; × ${factor.toFixed(0)}`,
    amounts: scaled(beyond(withTables.amounts, without.amounts), factor),
    processorMs: withTables.processorMs,
  };
};

const aDay = async (endpoints: number): Promise<{ readonly amounts: Amounts; readonly processorMs: Readonly<Record<string, number>> }> => {
  const platform = await meteredPlatform(START, 1);
  const from = START - HISTORY_DAYS * DAY_MS;
  const history = [...corpus({ seed: 6, events: HISTORY_DAYS * EVENTS_A_DAY, from, to: START })];
  for (let at = 0; at < history.length; at += EVENTS_A_DAY)
    await platform.capture(1, bodyOf(1, history.slice(at, at + EVENTS_A_DAY), true));
  await platform.pass(2 * HOUR_MS);
  for (let number = 0; number < endpoints; number += 1) {
    const query = sqlQuery(QUERY, { e: "$pageview", from: "2025-01-01" });
    const status = await platform.ask("endpoints", "POST", "/api/projects/1/endpoints/", {
      name: `table-${number}`,
      query,
      is_materialized: true,
    });
    if (status !== 201) throw new Defect(`an endpoint was answered with ${status}`);
  }
  await platform.pass(HOUR_MS);
  const [before, processor] = [platform.amounts(), { ...platform.processorMs() }];
  const day = [...corpus({ seed: 7, events: EVENTS_A_DAY, from: platform.now(), to: platform.now() + DAY_MS })];
  for (let hour = 0; hour < 24; hour += 1) {
    const batch = day.filter((_, at) => at % 24 === hour);
    await platform.capture(1, bodyOf(1, batch, false, platform.now()));
    await platform.pass(HOUR_MS);
  }
  const spent = Object.entries(platform.processorMs()).map(([name, ms]) => [name, ms - (processor[name] ?? 0)] as const);
  const amounts = beyond(platform.amounts(), before);
  await platform.close();
  return { amounts, processorMs: Object.fromEntries(spent) };
};
