import { type Issue, Issues } from "../../../lib/error-tracking/issues.ts";
import { standardError } from "../../../lib/http/errors.ts";
import type { Window } from "../../../lib/http/pagination.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { readWindow } from "../../../lib/table/paging.ts";
import { counterKey } from "../../../lib/table/partitions.ts";
import { pages } from "../../../lib/table/store.ts";
import { type IssueListRequest, isStoredKey, type Order } from "./parameters.ts";

/** A page of issues, and how many there are in all. */
export interface IssueWindow {
  readonly count: number;
  readonly items: readonly Issue[];
}

/** Issues that one request looks through, about 100 calls to the table. */
const MOST = 250_000;

/**
 * The page of a list that only goes by what is stored with issues. In the order of their making a page costs what it shows; in another
 * order, or where only some pass, all issues of the project are read.
 */
export const storedWindow = async (
  table: Table,
  project: number,
  { order, passes }: Pick<IssueListRequest, "order" | "passes">,
  { limit, offset }: Window,
): Promise<IssueWindow> => {
  if (passes === undefined && order.key === "created_at") {
    const options = { limit, offset, descending: order.descending, counter: counterKey("issueCount", project) };
    return readWindow(table, Issues, "key", { project }, options);
  }
  const found = (await readPassing(table, project, passes)).toSorted(byStored(order));
  return { count: found.length, items: found.slice(offset, offset + limit) };
};

/** All issues that pass. Throws 400 where the project has too many to look through. */
export const readPassing = async (table: Table, project: number, passes: IssueListRequest["passes"]): Promise<readonly Issue[]> => {
  const found: Issue[] = [];
  let seen = 0;
  for await (const issues of pages(table, Issues, "key", { project }, { consistent: true })) {
    seen += issues.length;
    if (seen > MOST) throw standardError(400, "validation_error", "invalid_input", TOO_MANY);
    found.push(...(passes === undefined ? issues : issues.filter(passes)));
  }
  return found;
};

const TOO_MANY = `The project has more than ${MOST} issues, which are too many to be filtered or put in another order. List them by -created_at, or query the table error_tracking_issues.`;

/** Ids are in the order of their making. */
const byStored =
  ({ key, descending }: Order) =>
  (a: Issue, b: Issue): number => {
    const [first, second] = descending ? [b, a] : [a, b];
    const [x, y] = isStoredKey(key) && key === "first_seen" ? [first.first_seen, second.first_seen] : [first.id, second.id];
    return x < y ? -1 : x > y ? 1 : first.id < second.id ? -1 : 1;
  };
