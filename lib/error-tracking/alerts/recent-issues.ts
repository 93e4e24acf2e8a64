import { isoMicros } from "../../core/time.ts";
import type { Fields } from "../../event/fields.ts";
import type { Issue } from "../issues.ts";
import type { DrainChanges, IssueEvent } from "./alert-candidates.ts";
import { RECENT_MS } from "./cool-down.ts";

/** An exception that was stored, and the issue that it belongs to. */
export interface LinkedException {
  readonly issue: Issue;
  /** The properties of the stored event: asked for once for an issue. */
  properties(): Fields;
}

/**
 * The issues of some exceptions that were made or opened again a moment ago, each with its first one. Not those that this drain changed:
 * where it is broken off after that, it comes again, and has to find them.
 */
export const recentIssues = (exceptions: readonly LinkedException[], now: number): Pick<DrainChanges, "opened" | "reopened"> => {
  const since = isoMicros(now - RECENT_MS);
  const first = new Map<string, LinkedException>();
  for (const exception of exceptions) if (!first.has(exception.issue.id)) first.set(exception.issue.id, exception);
  const after = (at: (issue: Issue) => string | undefined): readonly IssueEvent[] =>
    [...first.values()].flatMap(({ issue, properties }) => ((at(issue) ?? "") >= since ? [{ issue, properties: properties() }] : []));
  return { opened: after(({ opened_at }) => opened_at), reopened: after(({ reopened_at }) => reopened_at) };
};
