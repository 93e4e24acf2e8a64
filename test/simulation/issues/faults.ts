import type { NamedMutation } from "../../mutate/named-mutant.ts";

/** Conditions taken out of the product by hand: the lack of each has to be seen. */
export const FAULTS: readonly NamedMutation[] = [
  {
    name: "a fingerprint is moved whatever became of it since it was read",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: 'unchanged(known, "issue_id", "version", "visibility", "first_seen"),',
    replaced: '{ kind: "present" },',
  },
  {
    name: "stored events are not led to where their fingerprint is moved",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: "putting(MovedFingerprints, { project, fingerprint, issue_id: to,",
    replaced: 'putting(MovedFingerprints, { project, fingerprint: fingerprint + " ", issue_id: to,',
  },
  {
    name: "issues are merged into one that may be gone",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: 'when: { kind: "present" },',
    replaced: 'when: { kind: "any", of: [{ kind: "present" }, { kind: "absent" }] },',
  },
  {
    name: "an issue is merged that may be gone",
    file: "lib/error-tracking/merge-issues.ts",
    original: "removing(Issues, { project, id: source.id }, asRead(source)),",
    replaced: "removing(Issues, { project, id: source.id }),",
  },
  {
    name: "issues are counted after they were merged",
    file: "lib/error-tracking/merge-issues.ts",
    original: '    counting(counterKey("issueCount", project), -sources.length),\n',
    replaced: "",
  },
  {
    name: "what is to be moved is forgotten though somebody was faster",
    file: "lib/error-tracking/settle-issues.ts",
    original: "if (!(await moveFingerprints(table, project, [...distinct.values()]))) return false;",
    replaced: "await moveFingerprints(table, project, [...distinct.values()]);",
  },
  {
    name: "the first seen of an issue stays when fingerprints come or go",
    file: "lib/error-tracking/settle-issues.ts",
    original: "await forEachConcurrent(changed, LANES, (id) => refreshFirstSeen(table, project, id));",
    replaced: "",
  },
  {
    name: "of an issue that was merged nobody keeps in mind what came by it",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: "...(original !== to && { home: original })",
    replaced: "",
  },
  {
    name: "an issue is taken out while what came by it is still on its way",
    file: "lib/error-tracking/unmerge-issues.ts",
    original: "    checkingMoved(project, id),\n",
    replaced: "",
  },
  {
    name: "ingest does not follow an issue that was merged",
    file: "lib/error-tracking/linking/owners.ts",
    original: "    if (issue === undefined) lost.set(fingerprint, issue_id);",
    replaced: "    if (issue?.id !== issue_id) lost.set(fingerprint, issue_id);",
  },
  {
    name: "a fingerprint is believed to lead where it led before its issue was read",
    file: "lib/error-tracking/linking/owners.ts",
    original: "resolved !== undefined && (resolved.chain.length > 1 || resolved.issue.restored_at !== undefined)",
    replaced: "resolved === null",
  },
  {
    name: "an import opens what was resolved",
    file: "lib/error-tracking/linking/link.ts",
    original: "isLive || (lastImported !== null",
    replaced: "isLive || lastImported !== null || (lastImported !== null",
  },
  {
    name: "a live exception leaves its issue resolved",
    file: "lib/error-tracking/linking/link.ts",
    original: "news.has(issue.id) || isOpen(issue)",
    replaced: "news.has(issue.id) || issue.rev > 3 || isOpen(issue)",
  },
  {
    name: "first seen goes back whatever it is by then",
    file: "lib/error-tracking/linking/see-earlier.ts",
    original: "const first_seen = earlier(issue.first_seen, firstSeen);",
    replaced: "const first_seen = firstSeen;",
  },
  {
    name: "imports take from rate limits",
    file: "lib/error-tracking/limits/limits.ts",
    original: `  const limited = events.filter(({ row }) => !row.historical);
  if ((ofIssue`,
    replaced: `  const limited = events.filter(() => true);
  if ((ofIssue`,
  },
  {
    name: "imports raise spikes",
    file: "lib/error-tracking/track.ts",
    original: "const counts = countByDelivery(live);",
    replaced: "const counts = countByDelivery(accepted);",
  },
];
