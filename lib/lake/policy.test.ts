import { describe, expect, it } from "vitest";
import { POLICIES, type Policy, policyOf } from "./policy.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** No function runs longer: whoever read a head has ended by then. */
const LONGEST_RUN_MS = 15 * MINUTE_MS;

describe.each(Object.entries(POLICIES))("with the settings called %s", (_, policy) => {
  it("a commit stays until every reader of an older head has ended", () =>
    expect(policy.commitStayMs).toBeGreaterThanOrEqual(LONGEST_RUN_MS));
  it("a file that the catalogue named in the last 24 hours still exists", () =>
    expect(policy.retiredStayMs).toBeGreaterThanOrEqual(24 * HOUR_MS));
  it("nothing is taken for garbage that a drain, a job or its repetition may still name", () =>
    expect(policy.orphanAgeMs).toBeGreaterThanOrEqual(48 * HOUR_MS));
  it("a swap comes so early that it does not shorten the stay of commits by much", () =>
    expect(policy.swapWithinMs).toBeLessThanOrEqual(policy.commitStayMs / 3));
  it("readers of a removed project have had a minute to end, and its data is gone within the hour", () => {
    expect(policy.removalDelayMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(policy.removalDelayMs).toBeLessThan(HOUR_MS);
  });
  it("an audit comes each week, and a partition is sealed a week after its end", () => {
    expect(policy.auditEveryMs).toBe(7 * DAY_MS);
    expect(policy.sealAfterMs).toBe(7 * DAY_MS);
  });
  it("what one job reads, sorts and writes fits into its memory and disk", () => {
    expect(policy.fileBytes).toBeLessThanOrEqual(200_000_000);
    expect(policy.stepBytes).toBeGreaterThanOrEqual(3 * policy.fileBytes);
    expect(policy.stepBytes).toBeLessThanOrEqual(2_000_000_000);
    expect(policy.fileRows).toBeLessThanOrEqual(1_000_000);
    expect(policy.footersInside).toBeLessThanOrEqual(1_000_000);
    expect(policy.fold.entries).toBeLessThanOrEqual(200_000);
    expect(policy.fold.bytes).toBeLessThanOrEqual(32_000_000);
    expect(policy.fold.fileRows).toBeLessThanOrEqual(100_000);
  });
  it("a result is there as long as the week's audit may leave it", () => expect(policy.resultAgeMs).toBeGreaterThan(policy.auditEveryMs));
});

describe("how long rows wait to be gathered", () => {
  const waits = ({ gatherRowsAgeMs, gatherAgeMs, historyQuietMs }: Policy) => [gatherRowsAgeMs, gatherAgeMs, historyQuietMs];
  it("is some seconds on a laptop", () => {
    for (const ms of waits(POLICIES.local)) {
      expect(ms).toBeGreaterThanOrEqual(SECOND_MS);
      expect(ms).toBeLessThanOrEqual(10 * SECOND_MS);
    }
  });
  it("is a minute when deployed where there are many rows or an import has ended, and never more than an hour", () => {
    expect(waits(POLICIES.deployed)).toEqual([MINUTE_MS, HOUR_MS, MINUTE_MS]);
    expect(POLICIES.deployed.historyAgeMs).toBe(HOUR_MS);
  });
});

describe("how often a job is asked for that was sent already", () => {
  it("is some seconds later on a laptop, and some minutes later when deployed", () => {
    expect(POLICIES.local.resendMs).toBeGreaterThanOrEqual(SECOND_MS);
    expect(POLICIES.local.resendMs).toBeLessThanOrEqual(MINUTE_MS);
    expect(POLICIES.deployed.resendMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(POLICIES.deployed.resendMs).toBeLessThanOrEqual(HOUR_MS);
  });
});

it("the rows of a file are as many as the deployment says", () => {
  const policy = policyOf({ compaction: "deployed", publish: "none", fileRows: 50_000 });
  expect(policy).toEqual({ ...POLICIES.deployed, fileRows: 50_000 });
});
