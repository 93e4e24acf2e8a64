import { useState } from "preact/hooks";
import { forgetAnswers } from "../../../calls/answers.ts";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Dialog } from "../../../parts/dialog/dialog.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Pages } from "../../../parts/pages/pages.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { type Column, Table } from "../../../parts/table/table.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { useAddress, withQuery } from "../../address.ts";
import { useAssignees } from "../assignees.ts";
import { errorTrackingOf, type Issue, listMerged, MERGED_PAGE, type MergedIssue, queriesOf, unmergeIssues } from "../calls.ts";
import { titleOf } from "../status.tsx";

interface MergedIssuesProps {
  readonly project: ReachedProject;
  readonly issue: Issue;
}

/** What was merged into an issue, each with the way out again; nothing where nothing was. */
export const MergedIssues = ({ project, issue }: MergedIssuesProps) => {
  const { may } = useSession();
  const address = useAddress();
  const offset = Number(address.query.get("merged") ?? 0) || 0;
  const { data, problem } = useCall(listMerged(project.id, issue.id, offset));
  const assignees = useAssignees(project);
  const [leaving, setLeaving] = useState<MergedIssue>();
  if (problem) return <Problem problem={problem} />;
  if (data === undefined || data.count === 0) return null;
  const columns: readonly Column<MergedIssue>[] = [
    {
      title: "Issue",
      wide: true,
      cell: (merged) => (
        <>
          <strong>{titleOf(merged)}</strong> {merged.description}
        </>
      ),
    },
    { title: "Fingerprints", numeric: true, cell: ({ fingerprints }) => numberText(fingerprints) },
    { title: "Merged", cell: ({ merged_at }) => <Ago at={merged_at} /> },
    {
      title: "By",
      cell: ({ merged_by }) => <span class="brief">{merged_by === null ? "–" : assignees.nameOf({ type: "user", id: merged_by })}</span>,
    },
    {
      title: "Actions",
      cell: (merged) =>
        may("error_tracking:write") && (
          <button type="button" class="quiet" aria-label={`Undo… ${titleOf(merged)}`} onClick={() => setLeaving(merged)}>
            Undo…
          </button>
        ),
    },
  ];
  return (
    <section>
      <h2>Merged into this issue</h2>
      <Table label="Merged into this issue" columns={columns} rows={data.results} keyOf={({ id }) => id} />
      <Pages
        label="Merged into this issue"
        offset={offset}
        limit={MERGED_PAGE}
        count={data.count}
        hrefOf={(to) => withQuery(address, { merged: to === 0 ? undefined : String(to) })}
      />
      {leaving && <UndoDialog project={project} issue={issue} leaving={leaving} close={() => setLeaving(undefined)} />}
    </section>
  );
};

interface UndoDialogProps extends MergedIssuesProps {
  readonly leaving: MergedIssue;
  close(): void;
}

/** Says what goes back before it does. */
const UndoDialog = ({ project, issue, leaving, close }: UndoDialogProps) => {
  const action = useAction();
  const [isMoving, setMoving] = useState(false);
  const undo = async (): Promise<void> => {
    const done = await action.run(unmergeIssues(project.id, issue.id, [leaving.id]), errorTrackingOf(project.id));
    if (done === undefined) return;
    forgetAnswers(queriesOf(project.id));
    if (done.finished === false) setMoving(true);
    else close();
  };
  const [fingerprints, all] =
    leaving.fingerprints === 1
      ? ["1 fingerprint goes", "all of its events"]
      : [`${numberText(leaving.fingerprints)} fingerprints go`, "all of their events"];
  return (
    <Dialog title={`Take ${titleOf(leaving)} out again`} close={close}>
      {isMoving ? (
        <p role="status">It is an issue again. Its fingerprints follow in the background, within minutes.</p>
      ) : (
        <p>
          {fingerprints} back to <strong>{titleOf(leaving)}</strong> with {all}, and it is {leaving.status.replace("_", " ")} again, as it
          was before it was merged <Ago at={leaving.merged_at} />. <strong>{titleOf(issue)}</strong> keeps the others.
        </p>
      )}
      {action.problem && <Problem problem={action.problem} />}
      <div class="choices">
        {!isMoving && (
          <button type="button" class="primary" disabled={action.running} onClick={() => void undo()}>
            Take it out
          </button>
        )}
        <button type="button" class="quiet" onClick={close}>
          {isMoving ? "Close" : "Leave it"}
        </button>
      </div>
    </Dialog>
  );
};
