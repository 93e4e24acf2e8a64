import type { Assignee } from "../issues.ts";
import { subject } from "../matching/subject.ts";
import { propertiesBeforeGrouping } from "../pipeline/output.ts";
import type { ReadEvent } from "../pipeline/read-event.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { type BrokenRule, firstMatch } from "../rules/rule.ts";
import { automaticFingerprint, customFingerprint, type Fingerprint, manualFingerprint } from "./fingerprint.ts";

/** An event that is known by a fingerprint. */
export interface GroupedEvent extends ReadEvent {
  readonly fingerprint: Fingerprint;
  /** Of the rule that grouped it. */
  readonly assignee: Assignee | null;
}

/** The client's own fingerprint, else that of the first rule that matches, else the automatic one. */
export const groupEvent = (read: ReadEvent, rules: ProjectRules, now: number, broken: (rule: BrokenRule) => void): GroupedEvent => {
  const { event } = read;
  if (event.clientFingerprint !== null) return { ...read, fingerprint: manualFingerprint(event.clientFingerprint), assignee: null };
  if (rules.grouping.length > 0) {
    const properties = propertiesBeforeGrouping(event);
    const rule = firstMatch(rules.grouping, subject(properties, null, now), { props: properties }, broken);
    if (rule !== null) return { ...read, fingerprint: customFingerprint(rule.id), assignee: rule.assignee };
  }
  return { ...read, fingerprint: automaticFingerprint(event.exceptions, rules.algorithm), assignee: null };
};
