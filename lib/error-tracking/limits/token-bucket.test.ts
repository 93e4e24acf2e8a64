import { describe, expect, it } from "vitest";
import { fullBucket, take } from "./token-bucket.ts";

const HOURLY = { capacity: 5, periodMs: 3_600_000 };
const asking = (...wanted: readonly (readonly [string, number])[]) => new Map(wanted);

describe("a limit", () => {
  it("grants as many as it holds, in the order of the deliveries", () => {
    const { granted } = take(fullBucket(HOURLY, 0), HOURLY, asking(["a", 3], ["b", 4], ["c", 1]), 0);
    expect([...granted]).toEqual([
      ["a", 3],
      ["b", 2],
      ["c", 0],
    ]);
  });
  it("comes back with time, and never holds more than its capacity", () => {
    const { bucket } = take(fullBucket(HOURLY, 0), HOURLY, asking(["a", 5]), 0);
    expect(take(bucket, HOURLY, asking(["b", 5]), 1_440_000).granted.get("b")).toBe(2);
    expect(take(bucket, HOURLY, asking(["b", 50]), 99 * 3_600_000).granted.get("b")).toBe(5);
  });
  it("answers a message that comes again as before, and takes nothing for it", () => {
    const first = take(fullBucket(HOURLY, 0), HOURLY, asking(["a", 3]), 0);
    const again = take(first.bucket, HOURLY, asking(["a", 3], ["b", 3]), 0);
    expect([...again.granted.values()]).toEqual([3, 2]);
  });
  it("comes back also when drains follow each other so fast that less than one does in between", () => {
    let { bucket } = take(fullBucket(HOURLY, 0), HOURLY, asking(["a", 5]), 0);
    for (let now = 1_000; now <= 720_000; now += 1_000) bucket = take(bucket, HOURLY, asking(), now).bucket;
    expect(take(bucket, HOURLY, asking(["b", 5]), 720_000).granted.get("b")).toBe(1);
  });
});
