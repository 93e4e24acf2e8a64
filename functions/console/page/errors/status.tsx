import { useState } from "preact/hooks";
import { forgetAnswers } from "../../calls/answers.ts";
import { useAction } from "../../calls/use-action.ts";
import { Problem } from "../../parts/state/state.tsx";
import { errorTrackingOf, type Issue, type Severity, type Status, setStatus } from "./calls.ts";

/** The statuses that somebody may set, with the verb that sets them and what it has done. */
export const STATUSES: readonly { readonly status: Status; readonly verb: string; readonly done: string; readonly key?: string }[] = [
  { status: "resolved", verb: "Resolve", done: "Resolved", key: "e" },
  { status: "suppressed", verb: "Suppress", done: "Suppressed", key: "i" },
  { status: "active", verb: "Reopen", done: "Reopened" },
];

export const SEVERITIES: readonly Severity[] = ["low", "medium", "high", "critical"];

/** How an issue is called where its name stands alone. */
export const titleOf = ({ name }: Pick<Issue, "name">): string => name || "Untitled issue";

interface Change {
  readonly before: readonly Issue[];
  readonly status: Status;
}

export interface StatusChange {
  readonly running: boolean;
  change(issues: readonly Issue[], status: Status): Promise<void>;
  /** Says what was done, and takes it back; nothing where nothing was. */
  readonly note: preact.ComponentChildren;
}

/** Changes the status of issues, and remembers what it was, so that it can be undone. */
export const useStatusChange = (project: number): StatusChange => {
  const action = useAction();
  const [last, setLast] = useState<Change>();
  const changed = errorTrackingOf(project);

  const change = async (issues: readonly Issue[], status: Status): Promise<void> => {
    const before = issues.filter((issue) => issue.status !== status);
    if (before.length === 0 || action.running) return;
    const ids = before.map(({ id }) => id);
    if (await action.run(setStatus(project, ids, status), changed)) setLast({ before, status });
  };

  const undo = async ({ before }: Change): Promise<void> => {
    for (const [status, issues] of Map.groupBy(before, (issue) => issue.status)) {
      if (!isWritable(status)) continue;
      const ids = issues.map(({ id }) => id);
      if (!(await action.run(setStatus(project, ids, status), changed))) return;
    }
    setLast(undefined);
    forgetAnswers(changed);
  };

  const words = STATUSES.find(({ status }) => status === last?.status)?.done;
  return {
    running: action.running,
    change,
    note: (
      <div class="done" role="status">
        {last && (
          <p>
            {words} {last.before.length === 1 && last.before[0] ? titleOf(last.before[0]) : `${last.before.length} issues`}.{" "}
            <button type="button" class="quiet" disabled={action.running} onClick={() => void undo(last)}>
              Undo
            </button>
          </p>
        )}
        {action.problem && <Problem problem={action.problem} />}
      </div>
    ),
  };
};

const isWritable = (status: Issue["status"]): status is Status => STATUSES.some((each) => each.status === status);
