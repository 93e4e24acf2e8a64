import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/** Most memory that this process held at once, kilobytes. Not `maxRSS` where there is better: it begins at what the parent held. */
export const peakKilobytes = (): number => {
  const status = existsSync(STATUS) ? readFileSync(STATUS, "utf8") : "";
  const peak = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return peak === undefined ? process.resourceUsage().maxRSS : Number(peak);
};
