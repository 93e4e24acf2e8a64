import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { CopyButton } from "../../../parts/copy/copy.tsx";
import { ChoiceField } from "../../../parts/field/field.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Sparkline } from "../../../parts/plot/sparkline.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { assigneeValue, chosenAssignee, NOBODY, useAssignees } from "../assignees.ts";
import { assignIssue, errorTrackingOf, type Issue, listFingerprints, type Severity, setSeverity } from "../calls.ts";
import { type Counts, DAYS } from "../queries.ts";
import { SEVERITIES } from "../status.tsx";
import type { ExceptionEvent } from "./event.ts";

interface FactsProps {
  readonly project: ReachedProject;
  readonly issue: Issue;
  /** Null where nothing came in these days; undefined where that is not known. */
  readonly counts: Counts | null | undefined;
  readonly event: ExceptionEvent | undefined;
  split(): void;
}

const UNKNOWN = "–";

/** What is known of an issue besides its stack, and who looks after it. */
export const Facts = ({ project, issue, counts, event, split }: FactsProps) => {
  const { may } = useSession();
  const action = useAction();
  const assignees = useAssignees(project);
  const fingerprints = useCall(listFingerprints(project.id, issue.id));
  const mayWrite = may("error_tracking:write");
  const changed = errorTrackingOf(project.id);
  const assignee = assigneeValue(issue.assignee);
  return (
    <aside class="facts" aria-label="Facts">
      <dl>
        <Fact name={`Events, ${DAYS} days`}>
          {counts === undefined ? UNKNOWN : numberText(counts?.events ?? 0)}
          {counts && <Sparkline values={counts.days} label={`Events a day: ${counts.days.join(", ")}`} />}
        </Fact>
        <Fact name={`Users, ${DAYS} days`}>{counts === undefined ? UNKNOWN : numberText(counts?.users ?? 0)}</Fact>
        <Fact name="Last seen">{counts ? <Ago at={counts.lastSeen} /> : counts === null ? `over ${DAYS} days ago` : UNKNOWN}</Fact>
        <Fact name="First seen">
          <Ago at={issue.first_seen} />
        </Fact>
        {event?.release && (
          <Fact name="Release of this event">
            {event.release.id ? (
              <a href={`project/${project.id}/errors/releases/${event.release.id}`}>{event.release.version}</a>
            ) : (
              event.release.version
            )}
          </Fact>
        )}
        {!mayWrite && <Fact name="Severity">{issue.severity ?? "none"}</Fact>}
        {!mayWrite && <Fact name="Assignee">{assignees.nameOf(issue.assignee)}</Fact>}
      </dl>
      {mayWrite && (
        <>
          <ChoiceField
            label="Severity"
            value={issue.severity ?? ""}
            options={[{ value: "", title: "none" }, ...SEVERITIES.map((value) => ({ value, title: value }))]}
            change={(value) => void action.run(setSeverity(project.id, issue.id, (value || null) as Severity | null), changed)}
          />
          <ChoiceField
            label="Assignee"
            value={assignee}
            options={[{ value: NOBODY, title: "nobody" }, ...assignees.choicesBeside(issue.assignee)]}
            change={(value) => void action.run(assignIssue(project.id, issue.id, chosenAssignee(value)), changed)}
          />
        </>
      )}
      {action.problem && <Problem problem={action.problem} />}
      <dl>
        <Fact name="Fingerprints">
          {fingerprints.data ? numberText(fingerprints.data.count) : "–"}
          {mayWrite && (fingerprints.data?.count ?? 0) > 1 && (
            <button type="button" class="quiet" onClick={split}>
              Split…
            </button>
          )}
        </Fact>
        <Fact name="Id">
          <code>{issue.id.slice(-12)}</code>
          <CopyButton text={issue.id} label="Copy id" />
        </Fact>
        {issue.external_issues.length > 0 && (
          <Fact name="Elsewhere">
            <ul>
              {issue.external_issues.map(({ id, external_url, title, integration }) => (
                <li key={id}>
                  <a href={external_url} target="_blank" rel="noreferrer">
                    {title || external_url}
                  </a>{" "}
                  <span class="soft">{integration.display_name}</span>
                </li>
              ))}
            </ul>
          </Fact>
        )}
      </dl>
    </aside>
  );
};

const Fact = ({ name, children }: { readonly name: string; readonly children?: preact.ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
