import type { Assignee } from "../assignee.ts";
import type { Fingerprint } from "../grouping/fingerprint.ts";
import type { Issue } from "../issues.ts";

/** What the first event of a fingerprint says of the issue that it would make. */
export interface Candidate {
  readonly fingerprint: Fingerprint;
  readonly name: string;
  readonly description: string;
  /** ISO 8601 with microseconds. */
  readonly firstSeen: string;
  /** Of the rule that grouped it. */
  readonly assignee: Assignee | null;
  /** Asked only where an issue is made: it may ask every rule. */
  severity(issue: Pick<Issue, "id" | "status" | "name" | "description">): Issue["severity"];
}

/** Issues by fingerprint. */
export type Links = ReadonlyMap<string, Issue>;
