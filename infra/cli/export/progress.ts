import { isoDay } from "../../../lib/core/time.ts";

const EVERY_MS = 5_000;

/** Tells on standard error, now and then, how far an export is. */
export const exportProgress = (): { read(events: number, day: number): void } => {
  const began = performance.now();
  let told = began;
  let read = 0;
  return {
    read(events, day) {
      read += events;
      const now = performance.now();
      if (now - told < EVERY_MS) return;
      told = now;
      const rate = Math.round((read * 1_000) / (now - began));
      process.stderr.write(`${isoDay(day)}: ${read.toLocaleString("en-US")} events, ${rate.toLocaleString("en-US")}/s\n`);
    },
  };
};
