import { DAY_MS } from "../../../lib/core/time.ts";
import { batchOf, event, runQuery, sendEvents, untilCounted } from "./calls.ts";
import { type Question, type Site, timed } from "./question.ts";

const IMPORTED = 2_000;
const MONTHS_AGO_MS = 60 * DAY_MS;

/** A start of a function with the engine, and of the gateway's own connections. */
const COLD_MS = 6_000;
/** The window of live events, and the function that stores them. */
const FRESH_MS = 10_000;
/** The same of imports. */
const IMPORT_MS = 45_000;

const taken = async (status: Promise<string>): Promise<void> => {
  const found = await status;
  if (found !== "200") throw new Error(`the ingest host answered ${found}`);
};

const answered = async (site: Site): Promise<string> => {
  const { status, text } = await runQuery(site, "SELECT 1");
  if (status !== 200) throw new Error(`the query was answered ${status}: ${text.slice(0, 200)}`);
  return "200";
};

/** First answers, which are cold where nothing was asked before: one after the other, and before everything else. */
export const COLD_QUESTIONS: readonly Question[] = [
  timed("the first event", COLD_MS, async (site) => sendEvents(site, batchOf(site, [event(site, "first", Date.now())]))),
  timed("the first query", COLD_MS, answered),
];

/** How long it takes until a query sees what was sent. */
export const JOURNEY_QUESTIONS: readonly Question[] = [
  timed("freshness: an event, until a query counts it", FRESH_MS, async (site) => {
    await taken(sendEvents(site, batchOf(site, [event(site, "fresh", Date.now())])));
    return untilCounted(site, "fresh", 1);
  }),
  timed(`a historical import of ${IMPORTED.toLocaleString("en-US")} events, until a query counts them`, IMPORT_MS, async (site) => {
    const began = Date.now() - MONTHS_AGO_MS;
    const batch = Array.from({ length: IMPORTED }, (_, at) => event(site, "import", began + at * 1_000, { at }));
    await taken(sendEvents(site, batchOf(site, batch, { historical_migration: true }), { encoding: "gzip" }));
    return untilCounted(site, "import", IMPORTED);
  }),
];
