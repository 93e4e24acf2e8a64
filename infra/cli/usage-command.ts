import { DAY_MS, isoDay } from "../../lib/core/time.ts";
import { MAX_ISSUES_PER_DAY, readOpenedToday } from "../../lib/error-tracking/opened-issues.ts";
import { readUnread, type UnreadDay } from "../../lib/error-tracking/unread-exceptions.ts";
import type { Commit } from "../../lib/lake/catalogue.ts";
import { type Failure, listFailures } from "../../lib/lake/failures.ts";
import { pin } from "../../lib/lake/pin.ts";
import type { DayCounts } from "../../lib/usage/day-counts.ts";
import { projectUsage } from "../../lib/usage/roll-ups.ts";
import { UserError } from "../local/user-error.ts";
import { projectEvenRemoved } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { readDay } from "./day.ts";

interface DayUsage {
  /** `yyyy-mm-dd`, UTC. */
  readonly day: string;
  readonly usage_type: string;
  readonly count: number;
}

export const showUsage: Run = async ({ world }, { flags }) => {
  const { id, organization_id: organization } = await projectEvenRemoved(world.table, flags.project);
  const { waiting: commits, waitingDeltas, state } = await pin(world, id, null, { events: true, state: true });
  const [from, to] = [checkedDay(flags.from) ?? "", checkedDay(flags.to) ?? LAST_DAY];
  if (from > to) throw new UserError("--from has to be a day before --to, or the same.");
  const usage = usageByDay(await projectUsage(world, { organization, project: id }, ...ALWAYS)).filter(
    ({ day }) => day >= from && day <= to,
  );
  const waiting = waitingIn(commits, waitingDeltas);
  const dropped_properties = state?.dropped ?? 0;
  const unread_exceptions = (await readUnread(world.table, id)).filter(({ day }) => day >= from && day <= to);
  const issues_opened_today = await readOpenedToday(world, id);
  const failing = (await listFailures(world.table, id)).map(shownFailure);
  return {
    json: { project: id, usage, waiting, dropped_properties, unread_exceptions, issues_opened_today, failing },
    lines: [
      ...usageLines(usage),
      ...waitingLines(waiting),
      ...droppedLines(dropped_properties),
      ...unreadLines(unread_exceptions),
      ...openedLines(issues_opened_today),
      ...failingLines(failing),
    ],
  };
};

const usageByDay = (usage: DayCounts): readonly DayUsage[] =>
  Object.entries(usage)
    .flatMap(([number, types]) => Object.entries(types).map(([usage_type, count]) => ({ day: isoDate(number), usage_type, count })))
    .sort((left, right) => (`${left.day} ${left.usage_type}` < `${right.day} ${right.usage_type}` ? -1 : 1));

const ALWAYS = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

const isoDate = (day: string): string => isoDay(Number(day));

/** Rows of one partition that are not gathered yet, or deltas that are not folded into persons and groups. */
interface Waiting {
  readonly partition: string;
  readonly commits: number;
  readonly rows: number;
  readonly since: string;
}

/** Where the changes of persons and groups are shown, which belong to no partition of time. */
const PERSONS = "persons";

const waitingIn = (commits: readonly Commit[], waitingDeltas: readonly Commit[]): readonly Waiting[] => {
  const found = new Map<string, { readonly commits: number; readonly rows: number; readonly since: number }>();
  const wait = (partition: string, { at }: Commit, rows: number): void => {
    const sofar = found.get(partition) ?? { commits: 0, rows: 0, since: at };
    found.set(partition, { commits: sofar.commits + 1, rows: sofar.rows + rows, since: Math.min(sofar.since, at) });
  };
  for (const commit of commits) for (const { partition, rows } of commit.segments) wait(partition, commit, rows);
  for (const commit of waitingDeltas) wait(PERSONS, commit, 0);
  return [...found]
    .map(([partition, { since, ...rest }]) => ({ partition, ...rest, since: isoTime(since) }))
    .sort((left, right) => (left.partition < right.partition ? -1 : 1));
};

const shownFailure = ({ job, attempts, since, at, againAt, error }: Failure) => ({
  kind: job.kind,
  ...("partition" in job && job.partition !== undefined && { partition: job.partition }),
  attempts,
  since: isoTime(since),
  last: isoTime(at),
  again: isoTime(againAt),
  error,
});

const isoTime = (at: number): string => new Date(at).toISOString();

const usageLines = (usage: readonly DayUsage[]): readonly string[] =>
  columns(
    ["day", "usage type", "count"],
    usage.map(({ day, usage_type, count }) => [day, usage_type, String(count)]),
  );

const waitingLines = (waiting: readonly Waiting[]): readonly string[] =>
  waiting.length === 0
    ? []
    : [
        "",
        ...columns(
          ["waiting in", "commits", "rows", "since"],
          waiting.map(({ partition, commits, rows, since }) => [partition, String(commits), String(rows), since]),
        ),
      ];

const droppedLines = (properties: number): readonly string[] =>
  properties === 0
    ? []
    : ["", `${properties} properties of persons and groups were dropped, being more than one may have or one event may change.`];

const unreadLines = (unread: readonly UnreadDay[]): readonly string[] =>
  unread.length === 0
    ? []
    : [
        "",
        ...columns(
          ["exceptions without an issue on", "count", "the last of them"],
          unread.map(({ day, count, reason }) => [day, String(count), reason]),
        ),
      ];

const openedLines = (opened: number): readonly string[] => {
  if (opened === 0) return [];
  const over = opened < MAX_ISSUES_PER_DAY ? "" : " Exceptions that would open more share one issue until midnight UTC.";
  return ["", `${opened} of ${MAX_ISSUES_PER_DAY} issues that a day may open were opened today.${over}`];
};

const failingLines = (failing: readonly ReturnType<typeof shownFailure>[]): readonly string[] =>
  failing.length === 0
    ? []
    : [
        "",
        ...columns(
          ["failing job", "attempts", "since", "last", "error"],
          failing.map(({ kind, partition, attempts, since, last, error }) => [
            partition === undefined ? kind : `${kind} ${partition}`,
            String(attempts),
            since,
            last,
            error,
          ]),
        ),
      ];

/** After every day that can be written. */
const LAST_DAY = "9999-99-99";

const checkedDay = (text: string | undefined): string | undefined => (text === undefined ? undefined : isoDay(readDay(text) / DAY_MS));
