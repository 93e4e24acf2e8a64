import { describe, expect, it } from "vitest";
import { type Job, jobName, jobText, passedText, readJob, readLakeJob, sendAllJobs, sendJobs } from "./jobs.ts";

const ID = "0190d0aa-0000-7000-8000-000000000001";
const JOBS: readonly Job[] = [
  { kind: "compact", project: 1, partition: "2026-03", upTo: "", seal: false },
  { kind: "compact", project: 1, partition: "2026-04", upTo: "", seal: false },
  { kind: "compact", project: 1, partition: "2026-03", upTo: "", seal: false, share: { at: 1, of: 3 } },
  { kind: "compact", project: 1, partition: "2026-03", upTo: "", seal: false, share: { at: 2, of: 3 } },
  { kind: "fold", project: 1, upTo: "" },
  { kind: "usage", project: 1 },
  { kind: "usage", project: 1, partition: "2026-03" },
  { kind: "audit", project: 1 },
  { kind: "audit", project: 2 },
  { kind: "recount", project: 1 },
  { kind: "remove", project: 1 },
  { kind: "table", project: 1, endpoint_id: ID, version: 1 },
  { kind: "table", project: 1, endpoint_id: ID, version: 2 },
  { kind: "remove-organization", organization: ID },
];

/** A queue that refuses the messages at some places. */
const aQueue = (...refused: readonly number[]) => {
  const sent: (readonly string[])[] = [];
  const send = async (queue: string, messages: readonly { readonly id: string; readonly body: string }[]) => {
    expect(queue).toBe("jobs");
    sent.push(messages.map(({ body }) => body));
    return refused.map((at) => messages[at]?.id ?? "");
  };
  return { send, sent };
};

describe("a job", () => {
  it.each(JOBS)("is read as it was asked for: $kind", (job) => {
    expect(readJob(jobText(job))).toEqual(job);
  });

  it("is asked for in ASCII alone, whatever a client calls its chunks: a queue takes no other message for sure", () => {
    const job: Job = { kind: "resolve-frames", project: 1, refs: ["assets/\u{1f600}.js", "\uffff", "é"] };
    for (const text of [jobText(job), passedText(job, { waits: 1, behindAt: null })]) {
      expect(text).toMatch(/^[ -~]+$/);
      expect(readJob(text)).toEqual(job);
    }
  });

  it("has a name of its own", () => {
    expect(new Set(JOBS.map(jobName)).size).toBe(JOBS.length);
  });

  it("of the lake, and no other, is read of what the lake keeps", () => {
    expect(readLakeJob('{"v":1,"kind":"audit","project":7}')).toEqual({ kind: "audit", project: 7 });
    expect(() => readLakeJob('{"v":4,"kind":"audit","project":7}')).toThrow();
    expect(() => readLakeJob(jobText({ kind: "remove-organization", organization: ID }))).toThrow();
  });
});

describe("asking for jobs", () => {
  it("says which the queue has not confirmed", async () => {
    const queue = aQueue(1, 5);
    expect(await sendJobs(queue, JOBS)).toEqual([JOBS[1], JOBS[5]]);
    expect(queue.sent).toEqual([JOBS.map(jobText)]);
    await expect(sendAllJobs(queue, JOBS)).rejects.toThrow("the queue did not take the requests for 1/compact/2026-04, 1/usage");
    await sendAllJobs(aQueue(), JOBS);
  });

  it("asks the queue nothing where there are none", async () => {
    const queue = aQueue();
    expect(await sendJobs(queue, [])).toEqual([]);
    expect(queue.sent).toEqual([]);
  });
});
