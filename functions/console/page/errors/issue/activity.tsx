import { useState } from "preact/hooks";
import type { ReachedProject } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Loaded } from "../../../parts/state/state.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { type Assignees, useAssignees } from "../assignees.ts";
import { type Activity, type Assignee, listActivity } from "../calls.ts";

/** Entries that are shown at first, and after they were asked for. */
const FEW = 10;
const MANY = 100;

interface ActivityListProps {
  readonly project: ReachedProject;
  readonly issue: string;
}

/** What was done with an issue and by whom, the newest first. */
export const ActivityList = ({ project, issue }: ActivityListProps) => {
  const [most, setMost] = useState(FEW);
  const activity = useCall(listActivity(project.id, issue, most));
  const assignees = useAssignees(project);
  return (
    <section>
      <h2>Activity</h2>
      <Loaded of={activity} lines={3}>
        {({ count, results }) => (
          <>
            <ol class="steps">
              {results.map((entry) => (
                <li key={entry.id}>
                  <span class="soft">
                    <Ago at={entry.created_at} />
                  </span>
                  <span>
                    {activityText(entry, assignees)}
                    {entry.user && <span class="soft"> by {entry.user.first_name || entry.user.email}</span>}
                  </span>
                </li>
              ))}
            </ol>
            {count > results.length &&
              (most === FEW ? (
                <button type="button" class="quiet" onClick={() => setMost(MANY)}>
                  Show more
                </button>
              ) : (
                <p class="note">The newest {numberText(results.length)} are shown.</p>
              ))}
          </>
        )}
      </Loaded>
    </section>
  );
};

interface Detail {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly ids?: readonly unknown[];
  readonly name?: { readonly to?: unknown };
}

/** An entry as a sentence without who did it, as `Status: active → resolved`. */
const activityText = ({ activity, detail }: Activity, assignees: Assignees): string => {
  const { from, to, ids = [], name }: Detail = detail;
  const issues = ids.length === 1 ? "an issue" : `${numberText(ids.length)} issues`;
  const person = (value: unknown): string => assignees.nameOf((value ?? null) as Assignee | null);
  switch (activity) {
    case "created":
      return "Seen for the first time";
    case "status_changed":
      return `Status: ${word(from)} → ${word(to)}`;
    case "severity_changed":
      return `Severity: ${word(from)} → ${word(to)}`;
    case "assigned":
      return `Assignee: ${person(from)} → ${person(to)}`;
    case "renamed":
      return name === undefined ? "Description changed" : `Renamed: ${word(name.to)}`;
    case "merged":
      return `Merged with ${issues}`;
    case "unmerged":
      return `Taken out again: ${issues}`;
    case "split":
      return `Split into ${issues}`;
    case "reopened":
      return "Reopened, as it happened again";
  }
};

const word = (value: unknown): string => (value === null || value === undefined ? "none" : String(value).replace("_", " "));
