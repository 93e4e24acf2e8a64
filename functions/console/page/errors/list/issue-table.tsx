import { numberText } from "../../../parts/number/number.tsx";
import { Sparkline } from "../../../parts/plot/sparkline.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import type { Assignees } from "../assignees.ts";
import { DAYS, placeText } from "../queries.ts";
import { titleOf } from "../status.tsx";
import type { ListedIssue } from "./listed.ts";

interface IssueTableProps {
  readonly issues: readonly ListedIssue[];
  /** Whether it is known how often issues happened. */
  readonly counted: boolean;
  readonly assignees: Assignees;
  hrefOf(issue: ListedIssue): string;
  readonly chosen: readonly string[];
  /** Left out where nothing can be done with a choice. */
  readonly choose?: ((id: string) => void) | undefined;
}

/** Issues, a line each: what it is and where, how often, and how it stands. */
export const IssueTable = ({ issues, counted, assignees, hrefOf, chosen, choose }: IssueTableProps) => (
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
            {DAYS} days
          </th>
          <th scope="col" class="numeric">
            Events
          </th>
          <th scope="col" class="numeric">
            Users
          </th>
          <th scope="col">Last seen</th>
          <th scope="col">Status</th>
          <th scope="col" class="side">
            Assignee
          </th>
        </tr>
      </thead>
      <tbody>
        {issues.map((issue) => {
          const { id, description, severity, status, assignee, counts } = issue;
          const place = placeText(counts?.place);
          return (
            <tr key={id} aria-current={chosen.includes(id) ? "true" : undefined}>
              {choose && (
                <td>
                  <label class="pick">
                    <input type="checkbox" checked={chosen.includes(id)} onChange={() => choose(id)} />
                    <span class="hidden">Choose {titleOf(issue)}</span>
                  </label>
                </td>
              )}
              <td class="wide">
                <a href={hrefOf(issue)} data-issue={id}>
                  {titleOf(issue)}
                </a>
                {description && <div class="message">{description}</div>}
                {place && <code class="soft">{place}</code>}
              </td>
              <td class="side">{counts && <Sparkline values={counts.days} label={`Events a day: ${counts.days.join(", ")}`} />}</td>
              <td class="numeric">{counted ? numberText(counts?.events ?? 0) : "–"}</td>
              <td class="numeric">{counted ? numberText(counts?.users ?? 0) : "–"}</td>
              <td class="brief">{counts ? <Ago at={counts.lastSeen} /> : counted ? `over ${DAYS} days ago` : "–"}</td>
              <td class="brief">
                <span class={`status ${status}`}>{status.replace("_", " ")}</span>
                {severity && <div class={`severity ${severity}`}>{severity}</div>}
              </td>
              <td class="side brief">{assignees.nameOf(assignee)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  </section>
);
