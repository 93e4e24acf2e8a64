import type { Log } from "../../lib/ports/system.ts";

type Fields = Parameters<Log["line"]>[2];

/** Counts since the last line. */
interface Tally {
  received: number;
  requests: number;
  visible: number;
  runs: number;
  refusals: Map<string, number>;
}

const nothing = (): Tally => ({ received: 0, requests: 0, visible: 0, runs: 0, refusals: new Map() });

/** Kinds of refusals that one line names: the rest are counted. */
const MAX_KINDS = 3;

/** The hint about dead letters. */
const REDRIVE = "see infra/runbook.md, then npm run admin -- redrive";

/** Sums up the lines of the platform's log for whoever watches the terminal. */
export interface ActivitySummary {
  take(event: string, fields: Fields): void;
  /** One line of what happened since the last call; undefined when nothing did. `deadLetters`: how many there are now. */
  line(deadLetters?: number): string | undefined;
}

export const openActivitySummary = (): ActivitySummary => {
  let seen = nothing();
  /** Events that were received since the start and are not stored yet. */
  let waiting = 0;
  let lastDeadLetters = 0;
  return {
    take(event, fields) {
      if (event === "ingest") {
        seen.visible += asNumber(fields.rows);
        waiting = Math.max(0, waiting - asNumber(fields.events) - asNumber(fields.dropped));
      }
      if (event !== "request") return;
      seen.requests += 1;
      const status = asNumber(fields.status);
      if (fields.route === "capture" && status < 300) {
        seen.received += asNumber(fields.events);
        waiting += asNumber(fields.events);
      }
      if (/\/run\/$/.test(String(fields.route)) && status < 300) seen.runs += 1;
      if (status >= 400) {
        const why = refusalLine(status, fields);
        seen.refusals.set(why, (seen.refusals.get(why) ?? 0) + 1);
      }
    },
    line(deadLetters = 0) {
      const parts = [
        ...(seen.received > 0 ? [`events in ${seen.received}`] : []),
        ...(seen.visible > 0 ? [`rows visible ${seen.visible}`] : []),
        ...(waiting > 0 && (seen.received > 0 || seen.visible > 0) ? [`waiting ${waiting}`] : []),
        ...(seen.runs > 0 ? [`runs ${seen.runs}`] : []),
        ...refusals(seen.refusals),
      ];
      if (parts.length === 0 && seen.requests > 0) parts.push(`requests ${seen.requests}`);
      // Dead letters are shown with whatever else happened, and when their number changes.
      if (deadLetters > 0 && (parts.length > 0 || deadLetters !== lastDeadLetters)) parts.push(`dead letters ${deadLetters}: ${REDRIVE}`);
      lastDeadLetters = deadLetters;
      seen = nothing();
      return parts.length === 0 ? undefined : parts.join("   ");
    },
  };
};

const asNumber = (value: Fields[string]): number => (typeof value === "number" ? value : 0);

const refusalLine = (status: number, { reason, hint, code, method, path }: Fields): string => {
  const why = [reason ?? code, hint].filter((each) => typeof each === "string").join("; ");
  return `${status} ${String(method)} ${String(path)}${why === "" ? "" : `: ${why}`}`;
};

const refusals = (found: ReadonlyMap<string, number>): readonly string[] => {
  const kinds = [...found].map(([why, times]) => (times > 1 ? `refused ${times}: ${why}` : `refused: ${why}`));
  return kinds.length <= MAX_KINDS ? kinds : [...kinds.slice(0, MAX_KINDS), `and ${kinds.length - MAX_KINDS} other refusals`];
};
