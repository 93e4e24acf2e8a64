import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type ReachedProject, useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Empty, Loaded, Problem } from "../../../parts/state/state.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { isTyping } from "../../typing.ts";
import { type Assignees, NOBODY, useAssignees } from "../assignees.ts";
import { listIssues } from "../calls.ts";
import { Pager } from "../pager.tsx";
import { countIssues, DAYS, readCounts } from "../queries.ts";
import { SEVERITIES, STATUSES, type StatusChange, useStatusChange } from "../status.tsx";
import { IssueTable } from "./issue-table.tsx";
import { ANY, type Choice, chooseIssues, type ListedIssue, ORDERS, readChoice } from "./listed.ts";
import { MergeDialog } from "./merge-dialog.tsx";

/** Issues of one page. */
const ROWS = 25;

const REFRESH_MS = 60_000;

/** All issues, a line each, with what can be done to several of them. */
export const IssueList = ({ project }: { readonly project: ReachedProject }) => {
  const { may } = useSession();
  const address = useAddress();
  const choice = readChoice(address);
  const issues = useCall(listIssues(project.id), { everyMs: REFRESH_MS });
  const counts = useCall(may("query:read") ? countIssues(project.id) : undefined, { freshMs: 30_000, everyMs: REFRESH_MS });
  const assignees = useAssignees(project);
  const status = useStatusChange(project.id);
  const [isMerging, setMerging] = useState(false);

  const listed = useMemo((): readonly ListedIssue[] => {
    const byIssue = counts.data ? readCounts(counts.data) : new Map<string, never>();
    return (issues.data?.results ?? []).map((issue) => ({ ...issue, counts: byIssue.get(issue.id) }));
  }, [issues.data, counts.data]);
  const shown = chooseIssues(listed, choice);
  const page = shown.slice((choice.page - 1) * ROWS, choice.page * ROWS);
  const chosen = listed.filter(({ id }) => choice.chosen.includes(id));

  const choose = (ids: readonly string[]): void => go(withQuery(address, { chosen: ids.join(",") }), { replace: true });
  const act = async (on: readonly ListedIssue[], to: (typeof STATUSES)[number]["status"]): Promise<void> => {
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
      {counts.problem && <Problem problem={counts.problem} />}
      <Loaded of={issues} lines={10}>
        {({ count, results }) =>
          count === 0 ? (
            <NoIssues />
          ) : (
            <div ref={table} class="issue-list">
              <IssueTable
                issues={page}
                counted={counts.data !== undefined}
                assignees={assignees}
                hrefOf={({ id }) => `project/${project.id}/errors/${id}`}
                chosen={choice.chosen}
                choose={mayWrite ? (id) => choose(toggled(choice.chosen, id)) : undefined}
              />
              {shown.length === 0 && <NoMatch choice={choice} />}
              <Pager page={choice.page} rows={ROWS} of={shown.length} />
              <Total of={shown.length} total={count} looked={results.length} />
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

const toggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];

interface ListKeys {
  /** A key that does something to the chosen issues, or to the one that has the focus. */
  act(key: string, focused: string | undefined): void;
}

/** `j` and `k` move the focus from issue to issue; other keys are told with the issue that has it. */
const useListKeys = (table: { readonly current: HTMLElement | null }, keys: ListKeys): void => {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (isTyping(event)) return;
      const links = [...(table.current?.querySelectorAll<HTMLAnchorElement>("a[data-issue]") ?? [])];
      const row = document.activeElement?.closest("tr");
      const at = links.findIndex((link) => row?.contains(link));
      if (event.key === "j") links[Math.min(at + 1, links.length - 1)]?.focus();
      else if (event.key === "k") links[Math.max(at - 1, 0)]?.focus();
      else latest.current.act(event.key, links[at]?.dataset.issue);
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
};

const ALL = { value: ANY, title: "Any" };
const STATUS_CHOICES = [
  ALL,
  ...["active", "resolved", "suppressed", "archived", "pending_release"].map((value) => ({ value, title: value.replace("_", " ") })),
];
const SEVERITY_CHOICES = [ALL, ...SEVERITIES.map((value) => ({ value, title: value })), { value: "none", title: "none" }];

const Filters = ({ choice, assignees }: { readonly choice: Choice; readonly assignees: Assignees }) => {
  const address = useAddress();
  const set = (name: string, value: string, standard: string): void =>
    go(withQuery(address, { [name]: value === standard ? undefined : value, page: undefined }), { replace: true });
  return (
    <div class="issue-filters">
      <TextField label="Type, message or file" type="search" value={choice.text} change={(value) => set("text", value, "")} />
      <ChoiceField label="Status" value={choice.status} options={STATUS_CHOICES} change={(value) => set("status", value, "active")} />
      <ChoiceField label="Severity" value={choice.severity} options={SEVERITY_CHOICES} change={(value) => set("severity", value, ANY)} />
      <ChoiceField
        label="Assignee"
        value={choice.assignee}
        options={[{ value: ANY, title: "Anybody" }, { value: NOBODY, title: "Nobody" }, ...assignees.choices]}
        change={(value) => set("assignee", value, ANY)}
      />
      <ChoiceField label="Sorted by" value={choice.order} options={ORDERS} change={(value) => set("order", value, "users")} />
    </div>
  );
};

interface ChosenBarProps {
  readonly chosen: readonly ListedIssue[];
  readonly status: StatusChange;
  act(on: readonly ListedIssue[], to: (typeof STATUSES)[number]["status"]): Promise<void>;
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

const NoMatch = ({ choice }: { readonly choice: Choice }) => {
  const address = useAddress();
  const everything = withQuery(address, { text: undefined, status: ANY, severity: undefined, assignee: undefined, page: undefined });
  const isNarrow = choice.text !== "" || choice.severity !== ANY || choice.assignee !== ANY;
  return (
    <Empty title={isNarrow || choice.status !== "active" ? "No issue is like that." : "Nothing is broken: no issue is active."}>
      <p>
        <a href={everything}>Show all issues</a>
      </p>
    </Empty>
  );
};

interface TotalProps {
  /** Issues in the list. */
  readonly of: number;
  /** Issues that the project has, and that were looked at. */
  readonly total: number;
  readonly looked: number;
}

const Total = ({ of, total, looked }: TotalProps) => (
  <p class="note">
    {of === 1 ? "1 issue" : `${numberText(of)} issues`}
    {looked < total && ` among the newest ${numberText(looked)} of ${numberText(total)}`}. Events, users and last seen are those of the last{" "}
    {DAYS} days.
  </p>
);
