import { numberText } from "../../../parts/number/number.tsx";
import { Sparkline } from "../../../parts/plot/sparkline.tsx";
import { SortHead } from "../../../parts/table/sort-head.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { useAddress } from "../../address.ts";
import type { Assignees } from "../assignees.ts";
import type { ListedIssue } from "../calls.ts";
import { titleOf } from "../status.tsx";
import { type Choice, RANGES, type Sorted, sortedBy } from "./choice.ts";

interface IssueTableProps {
  readonly issues: readonly ListedIssue[];
  /** Where the newest event of each comes from, as far as that is known. */
  readonly places: ReadonlyMap<string, string>;
  readonly choice: Choice;
  readonly assignees: Assignees;
  hrefOf(issue: ListedIssue): string;
  /** Left out where nothing can be done with a choice. */
  readonly choose?: ((id: string) => void) | undefined;
}

/** Issues, a line each: what it is and where, how often, how many it befell, and how it stands. Most columns are ways to sort. */
export const IssueTable = ({ issues, places, choice, assignees, hrefOf, choose }: IssueTableProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys.
  <section class="table" tabIndex={0} aria-label="Issues">
    <table class="issues">
      <thead>
        <tr>
          {choose && (
            <th scope="col">
              <span class="hidden">Chosen</span>
            </th>
          )}
          <th scope="col" class="wide">
            Issue
          </th>
          <th scope="col" class="side">
            {RANGES.find(({ value }) => value === choice.seen)?.counted}
          </th>
          <ColumnHead by="occurrences" title="Events" order={choice.order} numeric />
          <ColumnHead by="users" title="Users" order={choice.order} numeric />
          <ColumnHead by="sessions" title="Sessions" order={choice.order} numeric />
          <ColumnHead by="last_seen" title="Last seen" order={choice.order} />
          <ColumnHead by="first_seen" title="First seen" order={choice.order} />
          <th scope="col">Status</th>
          <th scope="col" class="side">
            Assignee
          </th>
        </tr>
      </thead>
      <tbody>
        {issues.map((issue) => (
          <Line
            key={issue.id}
            issue={issue}
            place={places.get(issue.id)}
            assignee={assignees.nameOf(issue.assignee)}
            href={hrefOf(issue)}
            isChosen={choice.chosen.includes(issue.id)}
            choose={choose}
          />
        ))}
      </tbody>
    </table>
  </section>
);

interface ColumnHeadProps {
  /** The field that it sorts by. */
  readonly by: Sorted;
  readonly title: string;
  /** The order that the list has. */
  readonly order: string;
  readonly numeric?: boolean;
}

const ColumnHead = ({ by, title, order, numeric }: ColumnHeadProps) => (
  <SortHead
    title={title}
    numeric={numeric}
    direction={order === `-${by}` ? "descending" : order === by ? "ascending" : undefined}
    href={sortedBy(useAddress(), by)}
  />
);

interface LineProps {
  readonly issue: ListedIssue;
  readonly place: string | undefined;
  readonly assignee: string;
  readonly href: string;
  readonly isChosen: boolean;
  readonly choose: ((id: string) => void) | undefined;
}

const Line = ({ issue, place, assignee, href, isChosen, choose }: LineProps) => {
  const { id, description, severity, status, first_seen, aggregations = {} } = issue;
  const { occurrences, users, sessions, last_seen, sparkline } = aggregations;
  return (
    <tr aria-current={isChosen ? "true" : undefined}>
      {choose && (
        <td>
          <label class="pick">
            <input type="checkbox" checked={isChosen} onChange={() => choose(id)} />
            <span class="hidden">Choose {titleOf(issue)}</span>
          </label>
        </td>
      )}
      <td class="wide">
        <a href={href} data-issue={id}>
          {titleOf(issue)}
        </a>
        {description && <div class="message">{description}</div>}
        {place && <code class="soft where">{place}</code>}
      </td>
      <td class="side">{sparkline && <Sparkline values={sparkline.map(({ count }) => count)} label={sparklineLabel(sparkline)} />}</td>
      {[occurrences, users, sessions].map((count, place) => (
        <td key={place} class="numeric">
          {count === undefined ? UNKNOWN : numberText(count)}
        </td>
      ))}
      <td class="brief">{last_seen ? <Ago at={last_seen} /> : UNKNOWN}</td>
      <td class="brief">
        <Ago at={first_seen} />
      </td>
      <td class="brief">
        <span class={`status ${status}`}>{status.replace("_", " ")}</span>
        {severity && <div class={`severity ${severity}`}>{severity}</div>}
      </td>
      <td class="side brief">{assignee}</td>
    </tr>
  );
};

const UNKNOWN = "–";

const sparklineLabel = (steps: readonly { readonly start: string; readonly count: number }[]): string =>
  `Events since ${steps[0]?.start.slice(0, 10)}: ${steps.map(({ count }) => count).join(", ")}`;
