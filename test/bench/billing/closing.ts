import { closing } from "../../../functions/closing/schedule.ts";
import { closingNight } from "../../support/worlds/closing-night.ts";
import type { Part } from "../figures.ts";

const ORGANIZATIONS = 10_000;
/** As slow as a deployed function sees them on a bad day. */
const TABLE_MS = 20;
const OBJECT_MS = 40;
const EVERY_MINUTES = Number(closing.every.split(" ")[0]);

/** All of a deployment's organizations due in one night, closed by its schedule in a time that only calls to AWS take. */
export const closingNightPart: Part = {
  name: "closing",
  seconds: 90,
  measures: ["functions/closing", "lib/billing"],
  async run() {
    const night = await closingNight(ORGANIZATIONS, { tableMs: TABLE_MS, objectMs: OBJECT_MS, everyMinutes: EVERY_MINUTES });
    const how = `${ORGANIZATIONS} organizations due at once, ${TABLE_MS} ms a table call, ${OBJECT_MS} ms an object call`;
    return [
      {
        name: "closing.ten_thousand_minutes",
        value: night.minutes,
        unit: "min",
        baseline: `${how}: ${night.runs} runs every ${EVERY_MINUTES} minutes, ${night.closedPerSecond.toFixed(1)} a second; at most 120`,
      },
      {
        name: "closing.calls",
        value: (night.tableCalls + night.objectCalls) / ORGANIZATIONS,
        unit: "calls",
        baseline: `of one closing with its first look at the payment: ${night.tableCalls} to the table and ${night.objectCalls} to the store of all; ${night.conflicts} transactions met another one`,
      },
    ];
  },
};
