import { schedule } from "../../lib/lambda/schedule.ts";
import { followCanary } from "./follow.ts";

/** Sends an event as an SDK does, and asks until a query counts it: what no part knows of itself, whether the whole platform works. */
export const canary = schedule({
  name: "canary",
  every: "5 minutes",
  uses: { counts: true },
  settings: ["canary"],
  memoryMb: 256,
  timeoutSeconds: 120,
  run: (world) => followCanary(world),
});
