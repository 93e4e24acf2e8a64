import type { Fingerprint } from "../grouping/fingerprint.ts";
import type { GroupedEvent } from "../grouping/group.ts";
import type { Issue } from "../issues.ts";
import { outputProperties, type ReleaseInfo } from "../pipeline/output.ts";
import type { DrainRules } from "../rules/drain-rules.ts";
import type { RuleKind, StoredRules } from "../rules.ts";

/** The part of an issue that rules are asked about, and its id. */
export type NewIssue = Pick<Issue, "id" | "status" | "name" | "description">;

/** The fields that rules decide of an issue, by each kind that is asked about one. */
type Decisions = {
  readonly [K in Exclude<RuleKind, "grouping">]: (issue: NewIssue) => Promise<Partial<Pick<Issue, "severity" | "assignee">>>;
};

/** The issue that the first event of a fingerprint would make. */
export interface Candidate {
  readonly fingerprint: Fingerprint;
  readonly name: string;
  readonly description: string;
  /** Of its earliest event; ISO 8601 with microseconds. */
  readonly firstSeen: string;
  /** Whether one of its events is no import's. */
  readonly isLive: boolean;
  /** The time of the latest event of an import; ISO 8601 with microseconds. */
  readonly lastImported: string | null;
  /** Called only where an issue is made, or opened again: each may ask every rule. */
  readonly decisions: Decisions;
}

/** A candidate for each fingerprint, from its first event. */
export const issueCandidates = (
  events: readonly GroupedEvent[],
  findRelease: (event: GroupedEvent) => ReleaseInfo | null,
  rules: DrainRules,
): ReadonlyMap<string, Candidate> => {
  const candidates = new Map<string, Candidate>();
  for (const [value, own] of Map.groupBy(events, ({ fingerprint }) => fingerprint.value)) {
    const [grouped] = own;
    if (grouped === undefined) continue;
    const { event, fingerprint, assignee } = grouped;
    const [first] = event.exceptions;
    const ask = async <K extends RuleKind>(kind: K, { id, name, description, status }: NewIssue): Promise<StoredRules[K] | null> => {
      const issue = { name, description, status };
      const properties = () => outputProperties(event, fingerprint, id, findRelease(grouped));
      const [rule] = await rules.firstMatches(kind, [{ row: grouped.row, properties, issue }]);
      return rule ?? null;
    };
    candidates.set(value, {
      ...eventTimes(own),
      fingerprint,
      name: event.issueName ?? first?.type ?? "",
      description: event.issueDescription ?? first?.value ?? "",
      decisions: {
        severity: async (issue) => ({ severity: event.issueSeverity ?? (await ask("severity", issue))?.severity ?? null }),
        assignment: async (issue) => ({ assignee: assignee ?? (await ask("assignment", issue))?.assignee ?? null }),
      },
    });
  }
  return candidates;
};

const eventTimes = (events: readonly GroupedEvent[]): Pick<Candidate, "firstSeen" | "isLive" | "lastImported"> => {
  const times = (of: readonly GroupedEvent[]) => of.map(({ row }) => row.timestamp).sort((a, b) => (a < b ? -1 : 1));
  const imported = times(events.filter(({ row }) => row.historical)).at(-1);
  return {
    firstSeen: isoOfMicros(times(events)[0] ?? 0n),
    isLive: events.some(({ row }) => !row.historical),
    lastImported: imported === undefined ? null : isoOfMicros(imported),
  };
};

/** A time in microseconds as ISO 8601 with microseconds, also before 1970. */
const isoOfMicros = (micros: bigint): string => {
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const ms = new Date(Number((micros - rest) / 1000n)).toISOString();
  return ms.replace("Z", `${String(rest).padStart(3, "0")}Z`);
};
