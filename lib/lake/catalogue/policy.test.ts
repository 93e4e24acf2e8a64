import { describe, expect, it } from "vitest";
import { POLICIES } from "./policy.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** No function runs longer: whoever read a head has ended by then. */
const LONGEST_RUN_MS = 15 * MINUTE_MS;

describe.each(Object.entries(POLICIES))("with the settings called %s", (_, policy) => {
  it("a commit stays until every reader of an older head has ended", () =>
    expect(policy.commitStayMs).toBeGreaterThanOrEqual(LONGEST_RUN_MS));
  it("a file that the catalogue named in the last 24 hours still exists", () =>
    expect(policy.retiredStayMs).toBeGreaterThanOrEqual(24 * HOUR_MS));
  it("nothing is taken for garbage that a drain, a job or its repetition may still name", () =>
    expect(policy.orphanAgeMs).toBeGreaterThanOrEqual(48 * HOUR_MS));
  it("a result is there as long as the week's audit may leave it", () => expect(policy.resultAgeMs).toBeGreaterThan(policy.auditEveryMs));
});
