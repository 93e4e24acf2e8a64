import type { NamedMutation } from "../../mutate/named-mutant.ts";

/** Conditions taken out of the product by hand: the lack of each has to be seen. */
export const FAULTS: readonly NamedMutation[] = [
  {
    name: "a fingerprint is moved whatever issue it has by then",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: '{ kind: "equals", attribute: "issue_id", value: issue_id },',
    replaced: '{ kind: "present" },',
  },
  {
    name: "fingerprints are moved to an issue that may be gone",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: 'when: { kind: "present" },',
    replaced: 'when: { kind: "any", of: [{ kind: "present" }, { kind: "absent" }] },',
  },
  {
    name: "stored events are not led to where their fingerprint is moved",
    file: "lib/error-tracking/merging/fingerprint-moves.ts",
    original: "putting(MovedFingerprints, { project, fingerprint, issue_id: to,",
    replaced: 'putting(MovedFingerprints, { project, fingerprint: fingerprint + " ", issue_id: to,',
  },
  {
    name: "issues are merged into one that may be gone",
    file: "lib/error-tracking/merge-issues.ts",
    original: "    updating(Issues, { project, id: goal.id }, { set }, asRead(goal)),\n",
    replaced: "",
  },
  {
    name: "an issue is merged as it was read, whatever it is by then",
    file: "lib/error-tracking/merge-issues.ts",
    original: "removing(Issues, { project, id: source.id }, asRead(source)),",
    replaced: "removing(Issues, { project, id: source.id }),",
  },
  {
    name: "issues are counted after they were merged",
    file: "lib/error-tracking/merge-issues.ts",
    original: "await transact(parts.table, forwarding(parts, goal, some, { adopted, by }));",
    replaced:
      "const writes = forwarding(parts, goal, some, { adopted, by });\n      await transact(parts.table, writes.slice(0, -1));\n      await transact(parts.table, writes.slice(-1));",
  },
  {
    name: "what is to be moved is forgotten though its issue was merged meanwhile",
    file: "lib/error-tracking/settle-issues.ts",
    original: "if (!(await moveFingerprints(table, project, to, fingerprints))) return 0;",
    replaced: "await moveFingerprints(table, project, to, fingerprints);",
  },
  {
    name: "of an issue that was merged twice the first merge is forgotten",
    file: "lib/error-tracking/settle-issues.ts",
    original: "{ fingerprint, home: homeAfter(home ?? from, to) }",
    replaced: "{ fingerprint, home: homeAfter(from, to) }",
  },
  {
    name: "an issue is taken out while its fingerprints are still on their way",
    file: "lib/error-tracking/unmerge-issues.ts",
    original: "    checkingMoved(project, id),\n",
    replaced: "",
  },
  {
    name: "the fingerprints of an issue are looked for where they may not be yet",
    file: "lib/error-tracking/issue-fingerprints.ts",
    original: "{ project, issue_id: id }, { consistent: true }",
    replaced: "{ project, issue_id: id }, { consistent: false }",
  },
  {
    name: "a fingerprint is split off whatever issue it has",
    file: "lib/error-tracking/split-issue.ts",
    original: ".filter(({ issue_id }) => issue_id === id)",
    replaced: ".slice()",
  },
];
