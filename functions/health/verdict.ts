import type { QueueName } from "../../lib/ports/queues.ts";
import type { Lane, Status } from "./wire.ts";

/** What decides how a project is. */
export interface Findings {
  readonly lanes: readonly Lane[];
  /** Live events wait that nobody takes: none of any project was stored for as long as may be. */
  readonly isStuck: boolean;
  /** Seconds from the arrival of the latest events to their storage, and whether that is late; null where it is not known. */
  readonly delay: { readonly seconds: number; readonly isLate: boolean } | null;
  /** Jobs of the project that fail. */
  readonly failingJobs: number;
  /** Stored events wait for compaction for longer than they should. */
  readonly isCompactionLate: boolean;
}

export interface Verdict {
  readonly status: Status;
  /** What is wrong and what to do; the worst first, and only that. */
  readonly summary: string;
}

/** The worst that was found. */
export const verdict = (findings: Findings): Verdict => {
  const summary = failure(findings);
  if (summary !== undefined) return { status: "failing", summary };
  const delay = lateness(findings);
  return delay === undefined ? { status: "ok", summary: quiet(findings) } : { status: "behind", summary: delay };
};

const RUNBOOK = "infra/runbook.md says how to find the cause";

const failure = ({ lanes, failingJobs }: Findings): string | undefined => {
  const [lane] = lanes.filter(({ name, dead_letters }) => name !== "jobs" && dead_letters > 0);
  if (lane !== undefined)
    return `${counted(lane.dead_letters, "message")} of the ${lane.name} lane could not be stored: ${RUNBOOK} (${article(lane.name)}); once it is repaired, an admin or owner sends them back.`;
  if (failingJobs > 0)
    return `${counted(failingJobs, "job")} of this project ${failingJobs === 1 ? "fails" : "fail"}: what was stored stays right, and they are tried again by themselves; ${RUNBOOK} (${article("jobs")}).`;
  const given = lanes.find(({ name }) => name === "jobs")?.dead_letters ?? 0;
  if (given === 0) return undefined;
  return `${counted(given, "job")} ${given === 1 ? "was" : "were"} given up on: ${RUNBOOK} (${article("jobs")}); once it is repaired, an admin or owner sends them back.`;
};

const article = (lane: QueueName): string => `${lane}-dead-letters`;

const lateness = ({ isStuck, delay, isCompactionLate }: Findings): string | undefined => {
  if (isStuck) return `Live events wait, and none were stored for five minutes: ${RUNBOOK} (live-late). What was accepted is kept.`;
  if (delay?.isLate)
    return `The latest events took ${minutes(delay.seconds)} to be stored: ${RUNBOOK} (live-late). What was accepted is kept.`;
  if (isCompactionLate) return `Stored events wait to be compacted, so queries get slower: ${RUNBOOK} (jobs-late).`;
  return undefined;
};

const quiet = ({ lanes, delay }: Findings): string => {
  const waits = lanes.some(({ name, waiting, in_flight }) => name !== "jobs" && waiting + in_flight > 0);
  if (waits) return "Events are on their way into storage, and nothing fails.";
  return delay === null
    ? "All events are stored, and nothing waits."
    : `All events are stored, the latest within ${counted(delay.seconds, "second")}.`;
};

const minutes = (seconds: number): string => counted(Math.round(seconds / 60), "minute");

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
