import { useState } from "preact/hooks";
import { forgetAnswers } from "../../../calls/answers.ts";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Dialog } from "../../../parts/dialog/dialog.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { useAssignees } from "../assignees.ts";
import { errorTrackingOf, type Issue, listFingerprints, mergeIssues, queriesOf } from "../calls.ts";
import { type Counts, countIssues, DAYS, readCounts } from "../queries.ts";
import { titleOf } from "../status.tsx";

interface MergeDialogProps {
  readonly project: ReachedProject;
  readonly issues: readonly Issue[];
  close(): void;
  merged(id: string, isFinished: boolean): void;
}

/** Shows what joins before it does: the issue that stays, the events and fingerprints that come to it, and what it keeps. */
export const MergeDialog = ({ project, issues, close, merged }: MergeDialogProps) => {
  const { may } = useSession();
  const [target, setTarget] = useState(issues[0]?.id);
  const action = useAction();
  const ids = issues.map(({ id }) => id);
  const counted = useCall(may("query:read") ? countIssues(project.id, ids) : undefined);
  const counts = counted.data && readCounts(counted.data);
  const stays = issues.find(({ id }) => id === target);
  const merge = async (): Promise<void> => {
    if (stays === undefined) return;
    const others = ids.filter((id) => id !== stays.id);
    const done = await action.run(mergeIssues(project.id, stays.id, others), errorTrackingOf(project.id));
    if (done === undefined) return;
    forgetAnswers(queriesOf(project.id));
    merged(stays.id, done.finished !== false);
  };
  return (
    <Dialog title={`Merge ${issues.length} issues`} close={close}>
      <fieldset class="joining">
        <legend>Which one stays? The others join it.</legend>
        {issues.map((issue) => (
          <label key={issue.id}>
            <input type="radio" name="stays" checked={issue.id === target} onChange={() => setTarget(issue.id)} />
            <span>
              <strong>{titleOf(issue)}</strong> {issue.description}
              <Joining project={project} issue={issue} counts={counts && (counts.get(issue.id) ?? null)} />
            </span>
          </label>
        ))}
      </fieldset>
      {stays && <Outcome project={project} stays={stays} issues={issues} counts={counts} />}
      {action.problem && <Problem problem={action.problem} />}
      <div class="choices">
        <button type="button" class="primary" disabled={action.running} onClick={() => void merge()}>
          Merge
        </button>
        <button type="button" class="quiet" onClick={close}>
          Leave them
        </button>
      </div>
    </Dialog>
  );
};

interface OutcomeProps {
  readonly project: ReachedProject;
  readonly stays: Issue;
  readonly issues: readonly Issue[];
  readonly counts: ReadonlyMap<string, Counts> | undefined;
}

const Outcome = ({ project, stays, issues, counts }: OutcomeProps) => {
  const assignees = useAssignees(project);
  const events = issues.reduce((sum, { id }) => sum + (counts?.get(id)?.events ?? 0), 0);
  const lost = new Set(issues.flatMap(({ id, assignee }) => (id === stays.id || assignee === null ? [] : [assignees.nameOf(assignee)])));
  const keeper = assignees.nameOf(stays.assignee);
  lost.delete(keeper);
  return (
    <p>
      <strong>{titleOf(stays)}</strong> {counts ? `will have ${numberText(events)} events of the last ${DAYS} days. It keeps` : "keeps"} its
      name, its status ({stays.status.replace("_", " ")}), its severity ({stays.severity ?? "none"}) and its assignee ({keeper})
      {lost.size > 0 && `; that others belong to ${[...lost].join(" and ")} is not kept`}. The others leave the list, their links lead to
      it, and each can be taken out again.
    </p>
  );
};

interface JoiningProps {
  readonly project: ReachedProject;
  readonly issue: Issue;
  /** Null where nothing came in these days; undefined where that is not known. */
  readonly counts: Counts | null | undefined;
}

const Joining = ({ project, issue, counts }: JoiningProps) => {
  const { data } = useCall(listFingerprints(project.id, issue.id));
  const known = [
    ...(counts === undefined ? [] : [`${numberText(counts?.events ?? 0)} events, ${numberText(counts?.users ?? 0)} users`]),
    ...(data ? [data.count === 1 ? "1 fingerprint" : `${numberText(data.count)} fingerprints`] : []),
  ];
  return <small class="soft">{known.join(", ")}</small>;
};
