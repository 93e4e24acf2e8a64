import { useState } from "preact/hooks";
import { forgetAnswers } from "../../../calls/answers.ts";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Dialog } from "../../../parts/dialog/dialog.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Loaded, Problem } from "../../../parts/state/state.tsx";
import { go } from "../../address.ts";
import { errorTrackingOf, explainIssue, type Issue, listFingerprints, queriesOf, splitIssue } from "../calls.ts";
import { countFingerprints, EVENT_DAYS, type FingerprintCount, readFingerprintCounts } from "../queries.ts";
import { titleOf } from "../status.tsx";
import { explanationText } from "./explanation.ts";

interface SplitDialogProps {
  readonly project: ReachedProject;
  readonly issue: Issue;
  close(): void;
}

/** Chooses fingerprints of an issue that are to have issues of their own, and shows what each takes along. */
export const SplitDialog = ({ project, issue, close }: SplitDialogProps) => {
  const { may } = useSession();
  const fingerprints = useCall(listFingerprints(project.id, issue.id));
  const counted = useCall(may("query:read") ? countFingerprints(project.id, issue.id) : undefined);
  const explained = useCall(explainIssue(project.id, issue.id));
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const action = useAction();
  const counts = counted.data ? readFingerprintCounts(counted.data) : new Map<string, FingerprintCount>();
  const explanations = new Map(explained.data?.fingerprints.map((each) => [each.fingerprint, each]));
  const all = fingerprints.data?.count ?? 0;
  const leavesNone = chosen.length > 0 && chosen.length === all;
  const leaving = chosen.reduce((sum, fingerprint) => sum + (counts.get(fingerprint)?.events ?? 0), 0);

  const split = async (): Promise<void> => {
    const parts = chosen.map((fingerprint) => {
      const { type = null, value = null } = counts.get(fingerprint) ?? {};
      return { fingerprint, name: type, description: value };
    });
    const done = await action.run(splitIssue(project.id, issue.id, parts), errorTrackingOf(project.id));
    if (done === undefined) return;
    forgetAnswers(queriesOf(project.id));
    close();
    const [only, ...more] = done.new_issue_ids;
    go(only && more.length === 0 ? `project/${project.id}/errors/${only}` : `project/${project.id}/errors?order=-first_seen`);
  };

  return (
    <Dialog title={`Split ${titleOf(issue)}`} close={close}>
      <Loaded of={fingerprints}>
        {({ count, results }) => (
          <fieldset class="joining">
            <legend>Which fingerprints leave? Each becomes an issue of its own.</legend>
            {results.map(({ fingerprint }) => {
              const { events = 0, type, value } = counts.get(fingerprint) ?? {};
              const explanation = explanations.get(fingerprint);
              return (
                <label key={fingerprint}>
                  <input
                    type="checkbox"
                    checked={chosen.includes(fingerprint)}
                    onChange={() =>
                      setChosen(chosen.includes(fingerprint) ? chosen.filter((each) => each !== fingerprint) : [...chosen, fingerprint])
                    }
                  />
                  <span>
                    <strong>{type ?? "Untitled issue"}</strong> {value}
                    <small class="soft">
                      {numberText(events)} events of the last {EVENT_DAYS} days, fingerprint <code>{fingerprint.slice(0, 24)}</code>
                      {explanation && `, ${explanationText(explanation, explained.data?.frames ?? [])}`}
                    </small>
                  </span>
                </label>
              );
            })}
            {count > results.length && <p class="note">The oldest {numberText(results.length)} are shown.</p>}
          </fieldset>
        )}
      </Loaded>
      <p>
        {leavesNone
          ? "One fingerprint has to stay, or this issue has no events any more."
          : chosen.length === 0
            ? "Nothing is chosen yet."
            : `${chosen.length === 1 ? "1 new issue" : `${chosen.length} new issues`}, active and without an assignee${counted.data ? `, with ${numberText(leaving)} events` : ""}. ${titleOf(issue)} keeps ${all - chosen.length === 1 ? "1 fingerprint" : `${numberText(all - chosen.length)} fingerprints`}. Its spikes are forgotten.`}
      </p>
      {action.problem && <Problem problem={action.problem} />}
      <div class="choices">
        <button type="button" class="primary" disabled={chosen.length === 0 || leavesNone || action.running} onClick={() => void split()}>
          Split
        </button>
        <button type="button" class="quiet" onClick={close}>
          Leave it
        </button>
      </div>
    </Dialog>
  );
};
