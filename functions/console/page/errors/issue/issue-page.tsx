import { useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Loaded, Refused } from "../../../parts/state/state.tsx";
import { Exact } from "../../../parts/time/time.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { useKeydown } from "../../keydown.ts";
import { Frame } from "../../shell/frame.tsx";
import { isTyping } from "../../typing.ts";
import { type Issue, retrieveIssue } from "../calls.ts";
import { countIssues, EVENT_DAYS, listEvents, MOST_EVENTS, readCounts, readEvent, readEventLines } from "../queries.ts";
import { STATUSES, titleOf, useStatusChange } from "../status.tsx";
import { ActivityList } from "./activity.tsx";
import { exceptionEvent } from "./event.ts";
import { EventDetails } from "./event-details.tsx";
import { Facts } from "./facts.tsx";
import { Grouping } from "./grouping.tsx";
import { MergedIssues } from "./merged.tsx";
import { SplitDialog } from "./split-dialog.tsx";
import { Stack } from "./stack.tsx";

interface IssuePageProps {
  readonly project: ReachedProject;
  readonly id: string;
}

/** One issue: its stack in the middle, its facts beside it, and what its events say below. */
export const IssuePage = ({ project, id }: IssuePageProps) => {
  const { may } = useSession();
  const issue = useCall(retrieveIssue(project.id, id));
  const status = useStatusChange(project.id);
  const [isSplitting, setSplitting] = useState(false);
  const mayWrite = may("error_tracking:write");
  const address = useAddress();
  const others = `project/${project.id}/errors?status=all&chosen=${issue.data?.id ?? id}`;

  useKeydown((event) => {
    if (isTyping(event)) return;
    const to = STATUSES.find((each) => each.key === event.key)?.status;
    if (!mayWrite || issue.data === undefined) return;
    if (to) void status.change([issue.data], to);
    if (event.key === "m") go(others);
  });

  return (
    <Frame
      title={issue.data ? titleOf(issue.data) : "Issue"}
      call={retrieveIssue(project.id, id)}
      actions={
        mayWrite &&
        issue.data && (
          <>
            {STATUSES.filter((each) => each.status !== issue.data?.status).map(({ status: to, verb, key }) => (
              <button
                key={to}
                type="button"
                class={to === "resolved" ? "primary" : undefined}
                disabled={status.running}
                aria-keyshortcuts={key}
                onClick={() => issue.data && void status.change([issue.data], to)}
              >
                {verb}
              </button>
            ))}
            <a class="button" href={others} aria-keyshortcuts="m">
              Merge…
            </a>
          </>
        )
      }
    >
      <p class="issue-head">
        <a href={`project/${project.id}/errors`}>All issues</a>{" "}
        {issue.data && <span class={`status ${issue.data.status}`}>{issue.data.status.replace("_", " ")}</span>}
      </p>
      {status.note}
      {issue.data && issue.data.id !== id && (
        <p role="note">
          The issue of this link was merged into this one: <a href={`project/${project.id}/errors/${issue.data.id}`}>its own link</a>.
        </p>
      )}
      {address.query.has("moving") && (
        <p role="status">The merge goes on in the background: the last fingerprints come over within minutes. Links lead here already.</p>
      )}
      <Loaded of={issue}>{(data) => <IssueBody project={project} issue={data} split={() => setSplitting(true)} />}</Loaded>
      {isSplitting && issue.data && <SplitDialog project={project} issue={issue.data} close={() => setSplitting(false)} />}
    </Frame>
  );
};

interface IssueBodyProps {
  readonly project: ReachedProject;
  readonly issue: Issue;
  split(): void;
}

const EVENTS_FRESH_MS = 30_000;

const IssueBody = ({ project, issue, split }: IssueBodyProps) => {
  const { may } = useSession();
  const mayQuery = may("query:read");
  const { query } = useAddress();
  const wanted = query.get("event") ?? undefined;
  const counts = useCall(mayQuery ? countIssues(project.id, [issue.id]) : undefined, { freshMs: EVENTS_FRESH_MS });
  const lines = useCall(mayQuery ? listEvents(project.id, issue.id) : undefined, { freshMs: EVENTS_FRESH_MS });
  const shown = useCall(mayQuery ? readEvent(project.id, issue.id, wanted) : undefined, { freshMs: EVENTS_FRESH_MS });
  const event = shown.data && exceptionEvent(shown.data);
  return (
    <div class="issue">
      <div class="issue-main">
        {!mayQuery ? (
          <Refused scope="query:read">Events are read by queries.</Refused>
        ) : (
          <Loaded of={shown} lines={12}>
            {() =>
              event === undefined ? (
                <p class="soft">No event of the last {EVENT_DAYS} days is stored.</p>
              ) : (
                <>
                  <EventSteps
                    shown={event.uuid}
                    timestamp={event.timestamp}
                    uuids={lines.data && readEventLines(lines.data).map(({ uuid }) => uuid)}
                  />
                  <Stack project={project.id} event={event} />
                </>
              )
            }
          </Loaded>
        )}
      </div>
      <Facts
        project={project}
        issue={issue}
        counts={counts.data && (readCounts(counts.data).get(issue.id) ?? null)}
        event={event}
        split={split}
      />
      <div class="issue-below">
        {event && <EventDetails event={event} lines={lines} />}
        <Grouping project={project} issue={issue.id} />
        <MergedIssues project={project} issue={issue} />
        {may("activity_log:read") && <ActivityList project={project} issue={issue.id} />}
      </div>
    </div>
  );
};

interface EventStepsProps {
  readonly shown: string;
  readonly timestamp: string;
  /** The issue's events, the newest first. */
  readonly uuids: readonly string[] | undefined;
}

const EventSteps = ({ shown, timestamp, uuids = [] }: EventStepsProps) => {
  const address = useAddress();
  const at = uuids.indexOf(shown);
  const [newer, older] = at < 0 ? [] : [uuids[at - 1], uuids[at + 1]];
  return (
    <nav class="event-steps" aria-label="Events">
      <span>
        Event of <Exact at={timestamp} />
        {at >= 0 && (
          <span class="soft">
            {" "}
            {at + 1} of {uuids.length === MOST_EVENTS ? `the newest ${MOST_EVENTS}` : uuids.length}
          </span>
        )}
      </span>
      {newer && <a href={withQuery(address, { event: newer })}>Newer</a>}
      {older && <a href={withQuery(address, { event: older })}>Older</a>}
    </nav>
  );
};
