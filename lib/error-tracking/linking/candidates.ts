import type { Fingerprint } from "../grouping/fingerprint.ts";
import type { GroupedEvent } from "../grouping/group.ts";
import type { Issue } from "../issues.ts";
import { subject } from "../matching/subject.ts";
import { outputProperties, type ReleaseInfo } from "../pipeline/output.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { type BrokenRule, firstMatch, type Rule } from "../rules/rule.ts";
import type { RuleKind } from "../rules.ts";

/** The part of an issue that rules are asked about, and its id. */
export type NewIssue = Pick<Issue, "id" | "status" | "name" | "description">;

/** The fields that rules decide of an issue, by each kind that is asked about one. */
type Decisions = { readonly [K in Exclude<RuleKind, "grouping">]: (issue: NewIssue) => Partial<Pick<Issue, "severity" | "assignee">> };

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
  rules: ProjectRules,
  now: number,
  broken: (rule: BrokenRule) => void,
): ReadonlyMap<string, Candidate> => {
  const candidates = new Map<string, Candidate>();
  for (const [value, own] of Map.groupBy(events, ({ fingerprint }) => fingerprint.value)) {
    const [grouped] = own;
    if (grouped === undefined) continue;
    const { event, fingerprint, assignee } = grouped;
    const [first] = event.exceptions;
    const ask = <K extends RuleKind>(kind: readonly Rule<K>[], issue: NewIssue, nameOfProperties: "properties" | "props") => {
      const { id, name, description, status } = issue;
      const known = { name, description, status };
      const properties = outputProperties(event, fingerprint, id, findRelease(grouped));
      return firstMatch(kind, subject(properties, known, now), { issue: known, [nameOfProperties]: properties }, broken);
    };
    candidates.set(value, {
      ...eventTimes(own),
      fingerprint,
      name: event.issueName ?? first?.type ?? "",
      description: event.issueDescription ?? first?.value ?? "",
      decisions: {
        severity(issue) {
          if (event.issueSeverity !== null || rules.severity.length === 0) return { severity: event.issueSeverity };
          return { severity: ask(rules.severity, issue, "properties")?.severity ?? null };
        },
        assignment(issue) {
          if (assignee !== null || rules.assignment.length === 0) return { assignee };
          return { assignee: ask(rules.assignment, issue, "props")?.assignee ?? null };
        },
      },
    });
  }
  return candidates;
};

const eventTimes = (events: readonly GroupedEvent[]): Pick<Candidate, "firstSeen" | "isLive" | "lastImported"> => {
  const times = (of: readonly GroupedEvent[]) => of.map(({ row }) => row.timestamp).sort((a, b) => (a < b ? -1 : 1));
  const imported = times(events.filter((each) => each.imported)).at(-1);
  return {
    firstSeen: isoOfMicros(times(events)[0] ?? 0n),
    isLive: events.some((each) => !each.imported),
    lastImported: imported === undefined ? null : isoOfMicros(imported),
  };
};

/** A time in microseconds as ISO 8601 with microseconds, also before 1970. */
const isoOfMicros = (micros: bigint): string => {
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const ms = new Date(Number((micros - rest) / 1000n)).toISOString();
  return ms.replace("Z", `${String(rest).padStart(3, "0")}Z`);
};
