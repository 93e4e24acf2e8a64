import type { Assignee } from "../issues.ts";
import { propertiesBeforeGrouping } from "../pipeline/output.ts";
import type { ReadEvent } from "../pipeline/read-event.ts";
import type { DrainRules } from "../rules/drain-rules.ts";
import type { ProjectRules } from "../rules/project-rules.ts";
import { automaticFingerprint, customFingerprint, type Fingerprint, manualFingerprint } from "./fingerprint.ts";

/** An event that is known by a fingerprint. */
export interface GroupedEvent extends ReadEvent {
  readonly fingerprint: Fingerprint;
  /** Of the rule that grouped it. */
  readonly assignee: Assignee | null;
}

/** The client's own fingerprint, else that of the first rule that matches, else the automatic one. */
export const groupEvents = async (
  events: readonly ReadEvent[],
  { algorithm, grouping }: ProjectRules,
  rules: DrainRules,
): Promise<readonly GroupedEvent[]> => {
  const unnamed = grouping.stored.length === 0 ? [] : events.filter(({ event }) => event.clientFingerprint === null);
  const asked = unnamed.map(({ row, event }) => ({ row, properties: () => propertiesBeforeGrouping(event), issue: null }));
  const found = await rules.firstMatches("grouping", asked);
  const matched = new Map(unnamed.map((event, at) => [event, found[at] ?? null]));
  return events.map((read) => {
    const { clientFingerprint, exceptions } = read.event;
    if (clientFingerprint !== null) return { ...read, fingerprint: manualFingerprint(clientFingerprint), assignee: null };
    const rule = matched.get(read) ?? null;
    if (rule !== null) return { ...read, fingerprint: customFingerprint(rule.id), assignee: rule.assignee };
    return { ...read, fingerprint: automaticFingerprint(exceptions, algorithm), assignee: null };
  });
};
