import { MINUTE_MS, SECOND_MS } from "../../../lib/core/time.ts";
import { type Finding, fail, ok, reason, warn } from "./finding.ts";

/** Where a platform answers. */
export interface Addresses {
  readonly ingestUrl: string;
  readonly baseUrl: string;
}

/** No gateway answers later. */
const ANSWER_MS = 35_000;

/**
 * The `Date` of an answer has whole seconds; events of clients that are off by more than the first get other times, and requests to AWS by
 * more than the second are refused.
 */
const SKEW_WARN_MS = 30 * SECOND_MS;
const SKEW_FAIL_MS = 5 * MINUTE_MS;

/** Whether both hosts answer as this platform does, and whether their clock is this machine's. */
export const checkAddresses = async ({ ingestUrl, baseUrl }: Addresses): Promise<readonly Finding[]> => {
  const [capture, api] = await Promise.all([
    // Without a token nothing is taken: it is refused by capture itself.
    checkAddress(
      "capture",
      `${ingestUrl}/batch/`,
      { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
      [400, 401],
    ),
    checkAddress("api", `${baseUrl}/api/schema/`, {}, [200]),
  ]);
  const dates = [capture.date, api.date].filter((date) => date !== undefined);
  return [capture.finding, api.finding, ...(dates[0] === undefined ? [] : [clockFinding(Math.max(...dates.map((date) => date.skewMs)))])];
};

interface AddressCheck {
  readonly finding: Finding;
  readonly date?: { readonly skewMs: number };
}

const checkAddress = async (check: string, address: string, request: RequestInit, expected: readonly number[]): Promise<AddressCheck> => {
  try {
    const began = Date.now();
    const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.arrayBuffer();
    const [ended, said] = [Date.now(), Date.parse(answer.headers.get("date") ?? "")];
    const finding = expected.includes(answer.status)
      ? ok(check, `${address} answers within ${ended - began} ms`)
      : fail(
          check,
          `${address} answers ${answer.status}`,
          "is it this platform's address? infra/runbook.md says what to do about errors (management-errors, ingest-errors)",
        );
    return Number.isNaN(said) ? { finding } : { finding, date: { skewMs: skewOf(said, began, ended) } };
  } catch (thrown) {
    return {
      finding: fail(
        check,
        `${address} does not answer: ${reason(thrown)}`,
        "look whether the platform runs, and whether this machine reaches it (name, proxy, firewall)",
      ),
    };
  }
};

/** A header says the second in which the answer was written, which lies between the question and its end. */
const skewOf = (said: number, began: number, ended: number): number => {
  if (said > ended) return said - ended;
  return said + SECOND_MS < began ? began - said - SECOND_MS : 0;
};

/** What the difference of two clocks means. */
export const clockFinding = (skewMs: number): Finding => {
  const seconds = Math.round(skewMs / SECOND_MS);
  if (skewMs <= SKEW_WARN_MS)
    return ok("clock", seconds === 0 ? "this machine's clock is the platform's" : `this machine's clock differs by ${seconds} s`);
  const says = `this machine's clock and the platform's differ by ${seconds} s`;
  const advice = "set this machine's clock by NTP; where it is right, the platform's host is wrong";
  return skewMs > SKEW_FAIL_MS ? fail("clock", says, advice) : warn("clock", says, advice);
};
