import type { Log } from "../../lib/ports/log.ts";
import { jsonLog, systemClock } from "../../lib/world/system.ts";

/** At a terminal only what went wrong is worth a line; LOG=all shows what a deployment would log. */
export const terminalLog = (): Log => {
  const everything = process.env.LOG === "all";
  const log = jsonLog(systemClock, (line) => process.stderr.write(line));
  return {
    line(level, event, fields) {
      if (everything || level !== "info") log.line(level, event, fields);
    },
  };
};
