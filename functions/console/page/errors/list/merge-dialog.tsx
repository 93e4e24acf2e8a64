import { useState } from "preact/hooks";
import { forgetAnswers } from "../../../calls/answers.ts";
import type { ReachedProject } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Dialog } from "../../../parts/dialog/dialog.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { errorTrackingOf, listFingerprints, mergeIssues, queriesOf } from "../calls.ts";
import { DAYS } from "../queries.ts";
import { titleOf } from "../status.tsx";
import type { ListedIssue } from "./listed.ts";

interface MergeDialogProps {
  readonly project: ReachedProject;
  readonly issues: readonly ListedIssue[];
  close(): void;
  merged(id: string): void;
}

/** Shows what joins before it does: the issue that stays, and the events and fingerprints that come to it. */
export const MergeDialog = ({ project, issues, close, merged }: MergeDialogProps) => {
  const [target, setTarget] = useState(issues[0]?.id);
  const action = useAction();
  const stays = issues.find(({ id }) => id === target);
  const events = issues.reduce((sum, { counts }) => sum + (counts?.events ?? 0), 0);
  const merge = async (): Promise<void> => {
    if (stays === undefined) return;
    const others = issues.flatMap(({ id }) => (id === stays.id ? [] : [id]));
    if (await action.run(mergeIssues(project.id, stays.id, others), errorTrackingOf(project.id))) {
      forgetAnswers(queriesOf(project.id));
      merged(stays.id);
    }
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
              <Joining project={project} issue={issue} />
            </span>
          </label>
        ))}
      </fieldset>
      <p>
        {stays && (
          <>
            <strong>{titleOf(stays)}</strong> will have {numberText(events)} events of the last {DAYS} days. It keeps its name, status and
            severity; the others are gone from the list. Splitting takes fingerprints out again.
          </>
        )}
      </p>
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

const Joining = ({ project, issue }: { readonly project: ReachedProject; readonly issue: ListedIssue }) => {
  const { data } = useCall(listFingerprints(project.id, issue.id));
  return (
    <small class="soft">
      {numberText(issue.counts?.events ?? 0)} events, {numberText(issue.counts?.users ?? 0)} users
      {data && `, ${data.count === 1 ? "1 fingerprint" : `${numberText(data.count)} fingerprints`}`}
    </small>
  );
};
