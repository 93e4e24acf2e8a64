import type { GroupedEvent } from "../grouping/group.ts";
import { subject } from "../matching/subject.ts";
import { isoOfMicros } from "../moments.ts";
import { outputProperties, type ReleaseInfo } from "../pipeline/output.ts";
import type { Disabling } from "../rules/disable.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { firstMatch } from "../rules/rule.ts";
import { SEVERITY_RULE_LAYOUT } from "../stored/layouts.ts";
import type { Candidate } from "./candidate.ts";

/** What the first event of each fingerprint would make of an issue. */
export const candidatesOf = (
  events: readonly GroupedEvent[],
  releaseOf: (event: GroupedEvent) => ReleaseInfo | null,
  rules: ProjectRules,
  now: number,
  broken: (rule: Disabling) => void,
): ReadonlyMap<string, Candidate> => {
  const candidates = new Map<string, Candidate>();
  for (const grouped of events) {
    const { row, event, metadata, fingerprint, assignee } = grouped;
    if (candidates.has(fingerprint.value)) continue;
    const [first] = event.exceptions;
    candidates.set(fingerprint.value, {
      fingerprint,
      name: event.issueName ?? first?.type ?? "",
      description: event.issueDescription ?? first?.value ?? "",
      firstSeen: isoOfMicros(row.timestamp),
      assignee,
      severity({ id, status, name, description }) {
        if (event.issueSeverity !== null || rules.severity.length === 0) return event.issueSeverity;
        const properties = outputProperties(event, metadata, fingerprint, id, releaseOf(grouped));
        const issue = { status, name, description };
        const rule = firstMatch(rules.severity, subject(properties, issue, now), ({ stored, message }) =>
          broken({ layout: SEVERITY_RULE_LAYOUT, rule: stored, data: { message, issue, properties } }),
        );
        return rule?.severity ?? null;
      },
    });
  }
  return candidates;
};
