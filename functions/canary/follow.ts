import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../../lib/app/world.ts";
import { SECOND_MS } from "../../lib/core/time.ts";
import { Defect } from "../../lib/core/unreachable.ts";

/** What the event is called. */
const CANARY_EVENT = "platform_canary";

/** No answer takes longer where anything works. */
const ANSWER_MS = 30 * SECOND_MS;

/** When a query asks, after the event was taken: each is paid for, and the first finds it where the stage is as it should be. */
const ASKED_AFTER_MS: readonly number[] = [10, 20, 40, 60].map((seconds) => seconds * SECOND_MS);

/**
 * Sends an event to the ingest host and counts it as missing where no query has seen it within a minute. Does nothing in a stage without a
 * token for it. Throws where the event is not taken at all.
 */
export const followCanary = async (
  { config, ids, counts, log }: Pick<World, "config" | "ids" | "counts" | "log">,
  askedAfterMs = ASKED_AFTER_MS,
): Promise<void> => {
  const { canary: token, canaryKey, ingestUrl, baseUrl } = config;
  if (token === "") return;
  const id = ids.uuid();
  const taken = await post(`${ingestUrl}/batch/`, { api_key: token, batch: [{ event: CANARY_EVENT, uuid: id, distinct_id: id }] }, {});
  if (taken.status !== 200) throw new Defect(`the ingest host answered an event with ${taken.status}`);
  const query = `SELECT count() FROM events WHERE event = '${CANARY_EVENT}' AND distinct_id = '${id}'`;
  const headers = { authorization: `Bearer ${await canaryKey.read()}` };
  const began = performance.now();
  let last = "";
  for (const afterMs of timely(askedAfterMs, () => performance.now() - began)) {
    await pause(Math.max(0, began + afterMs - performance.now()));
    // Who gives no answer has not seen it either.
    const answer = await post(`${baseUrl}/api/projects/@current/query/`, { query: { kind: "HogQLQuery", query } }, headers).catch(
      (thrown: unknown) => ({ status: 0, text: String(thrown) }),
    );
    last = `${answer.status} ${answer.text.slice(0, 200)}`;
    if (answer.status === 200 && answer.text.includes('"results":[[1]]')) {
      log.line("info", "canary.seen", { within_ms: afterMs });
      return;
    }
  }
  log.line("error", "canary.missing", { id, answer: last });
  await counts.add("AcceptedNotQueryable");
};

/**
 * The moments that are still to come, and the last one in any case: where answers take as long as they may, asking at each would take longer than
 * the function has, and nothing would be counted.
 */
function* timely(momentsMs: readonly number[], passedMs: () => number): Generator<number> {
  for (const [place, moment] of momentsMs.entries()) if (moment > passedMs() || place === momentsMs.length - 1) yield moment;
}

const post = async (
  url: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly text: string }> => {
  const sent = { "content-type": "application/json", ...headers };
  const answer = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body), signal: AbortSignal.timeout(ANSWER_MS) });
  return { status: answer.status, text: await answer.text() };
};
