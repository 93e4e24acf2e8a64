import { useRef, useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { type CallState, useCall } from "../../../calls/use-call.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Empty, Loaded, Problem } from "../../../parts/state/state.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { useKeydown } from "../../keydown.ts";
import { isTyping } from "../../typing.ts";
import { useAssignees } from "../assignees.ts";
import { ANY, type Issue, type ListedIssue, listIssues, retrieveIssues } from "../calls.ts";
import { Pager } from "../pager.tsx";
import { findPlaces, readPlaces } from "../queries.ts";
import { STATUSES, type StatusChange, useStatusChange } from "../status.tsx";
import { type Choice, issueQuery, RANGES, ROWS, readChoice, STANDARD } from "./choice.ts";
import { Filters } from "./filters.tsx";
import { IssueTable } from "./issue-table.tsx";
import { MergeDialog } from "./merge-dialog.tsx";

const REFRESH_MS = 60_000;

/** Issues, a line each, as they were filtered and sorted, with what can be done to several of them. */
export const IssueList = ({ project }: { readonly project: ReachedProject }) => {
  const { may } = useSession();
  const address = useAddress();
  const choice = readChoice(address);
  const asked = useCall(listIssues(project.id, issueQuery(choice)), { everyMs: REFRESH_MS });
  const { shown, isOld } = useShown(asked);
  const assignees = useAssignees(project);
  const status = useStatusChange(project.id);
  const [isMerging, setMerging] = useState(false);
  const listed = shown.data?.results ?? [];
  const places = usePlaces(project.id, listed);
  const { chosen, problem } = useChosen(project.id, choice.chosen, listed);

  const choose = (ids: readonly string[]): void => go(withQuery(address, { chosen: ids.join(",") }), { replace: true });
  const act = async (on: readonly Issue[], to: (typeof STATUSES)[number]["status"]): Promise<void> => {
    await status.change(on, to);
    if (choice.chosen.length > 0) choose([]);
  };
  const mayWrite = may("error_tracking:write");
  const table = useRef<HTMLDivElement>(null);
  useListKeys(table, {
    act: (key, focused) => {
      const to = STATUSES.find((each) => each.key === key)?.status;
      const on = chosen.length > 0 ? chosen : listed.filter(({ id }) => id === focused);
      if (to && mayWrite) void act(on, to);
      if (key === "m" && mayWrite && chosen.length > 1) setMerging(true);
      if (key === "x" && mayWrite && focused) choose(toggled(choice.chosen, focused));
    },
  });

  return (
    <>
      <Filters choice={choice} assignees={assignees} />
      {status.note}
      {mayWrite && chosen.length > 0 && (
        <ChosenBar chosen={chosen} status={status} act={act} merge={() => setMerging(true)} clear={() => choose([])} />
      )}
      {problem && <Problem problem={problem} />}
      <Loaded of={shown} lines={10}>
        {({ count, results }) =>
          count === 0 ? (
            <NoMatch project={project.id} choice={choice} />
          ) : (
            <div ref={table} class="issue-list" aria-busy={isOld || undefined}>
              <IssueTable
                issues={results}
                places={places}
                choice={choice}
                assignees={assignees}
                hrefOf={({ id }) => `project/${project.id}/errors/${id}`}
                choose={mayWrite ? (id) => choose(toggled(choice.chosen, id)) : undefined}
              />
              <Pager page={choice.page} rows={ROWS} of={count} />
              <Total of={count} choice={choice} />
            </div>
          )
        }
      </Loaded>
      {isMerging && (
        <MergeDialog
          project={project}
          issues={chosen}
          close={() => setMerging(false)}
          merged={(id, isFinished) => {
            setMerging(false);
            go(`project/${project.id}/errors/${id}${isFinished ? "" : "?moving=1"}`);
          }}
        />
      )}
    </>
  );
};

/** What is shown of a list: what came last, for as long as what is asked now is on its way. */
const useShown = <T,>(asked: CallState<T>): { readonly shown: CallState<T>; readonly isOld: boolean } => {
  const last = useRef<T>(undefined);
  if (asked.data !== undefined) last.current = asked.data;
  const isOld = asked.data === undefined && asked.problem === undefined && last.current !== undefined;
  return { shown: isOld ? { ...asked, data: last.current } : asked, isOld };
};

const NO_PLACES = new Map<string, string>();

/** Where the issues of a list come from; none is known before it is asked. */
const usePlaces = (project: number, listed: readonly ListedIssue[]): ReadonlyMap<string, string> => {
  const { may } = useSession();
  const seen = listed.flatMap(({ id, aggregations }) => (aggregations?.last_seen ? [{ id, seen: aggregations.last_seen }] : []));
  const { data } = useCall(may("query:read") && seen.length > 0 ? findPlaces(project, seen) : undefined, { freshMs: REFRESH_MS });
  const last = useRef(NO_PLACES);
  if (data !== undefined) last.current = new Map([...last.current, ...readPlaces(data)]);
  return last.current;
};

/** The issues that were chosen, on whichever page they are. */
const useChosen = (project: number, ids: readonly string[], listed: readonly Issue[]) => {
  const known = listed.filter(({ id }) => ids.includes(id));
  const isKnown = ids.every((id) => known.some((issue) => issue.id === id));
  const { data, problem } = useCall(isKnown ? undefined : retrieveIssues(project, ids));
  // A merged issue answers for the one that it became a part of.
  const chosen = data === undefined || isKnown ? known : [...new Map(data.map((issue) => [issue.id, issue])).values()];
  return { chosen, problem };
};

const toggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];

interface ListKeys {
  /** A key that does something to the chosen issues, or to the one that has the focus. */
  act(key: string, focused: string | undefined): void;
}

/** `j` and `k` move the focus from issue to issue; other keys are told with the issue that has it. */
const useListKeys = (table: { readonly current: HTMLElement | null }, keys: ListKeys): void =>
  useKeydown((event) => {
    if (isTyping(event)) return;
    const links = [...(table.current?.querySelectorAll<HTMLAnchorElement>("a[data-issue]") ?? [])];
    const row = document.activeElement?.closest("tr");
    const at = links.findIndex((link) => row?.contains(link));
    if (event.key === "j") links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === "k") links[Math.max(at - 1, 0)]?.focus();
    else keys.act(event.key, links[at]?.dataset.issue);
  });

interface ChosenBarProps {
  readonly chosen: readonly Issue[];
  readonly status: StatusChange;
  act(on: readonly Issue[], to: (typeof STATUSES)[number]["status"]): Promise<void>;
  merge(): void;
  clear(): void;
}

const ChosenBar = ({ chosen, status, act, merge, clear }: ChosenBarProps) => (
  <section class="chosen" aria-label="Chosen issues">
    <span>{chosen.length === 1 ? "1 issue chosen" : `${numberText(chosen.length)} issues chosen`}</span>
    {STATUSES.filter((each) => chosen.some((issue) => issue.status !== each.status)).map((each) => (
      <button key={each.status} type="button" disabled={status.running} onClick={() => void act(chosen, each.status)}>
        {each.verb}
      </button>
    ))}
    {chosen.length > 1 ? (
      <button type="button" onClick={merge}>
        Merge…
      </button>
    ) : (
      <span class="soft">Choose another one to merge them.</span>
    )}
    <button type="button" class="quiet" onClick={clear}>
      Choose none
    </button>
  </section>
);

const NoIssues = () => (
  <Empty title="No exception has come yet." command="posthog.captureException(new Error('Is anybody there?'))">
    <p>
      Issues are made of the <code>$exception</code> events that SDKs send. Switch their capture on in your SDK, or send one yourself:
    </p>
  </Empty>
);

interface NoMatchProps {
  readonly project: number;
  readonly choice: Choice;
}

const NoMatch = ({ project, choice }: NoMatchProps) => {
  const address = useAddress();
  const any = useCall(listIssues(project, { status: ANY, limit: 1 }));
  const everything = withQuery(address, { ...CLEARED, status: ANY });
  const isNarrow = FILTERS.some((name) => choice[name] !== STANDARD[name]);
  return (
    <Loaded of={any} lines={3}>
      {({ count }) =>
        count === 0 ? (
          <NoIssues />
        ) : (
          <Empty title={isNarrow ? "No issue is like that." : "Nothing is broken: no issue is active."}>
            <p>
              <a href={everything}>Show all issues</a>
            </p>
          </Empty>
        )
      }
    </Loaded>
  );
};

const FILTERS = ["status", "severity", "assignee", "text", "seen"] as const;
const CLEARED = { severity: undefined, assignee: undefined, text: undefined, seen: undefined, page: undefined };

interface TotalProps {
  /** Issues in the list. */
  readonly of: number;
  readonly choice: Choice;
}

const Total = ({ of, choice }: TotalProps) => (
  <p class="note">
    {of === 1 ? "1 issue" : `${numberText(of)} issues`}. Events, users and sessions are those of the last{" "}
    {RANGES.find(({ value }) => value === choice.seen)?.counted}.
  </p>
);
