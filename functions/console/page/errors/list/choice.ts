import { type Address, withQuery } from "../../address.ts";
import { ANY, type IssueQuery, type Order } from "../calls.ts";
import { readPage } from "../pager.tsx";

/** Issues of one page. */
export const ROWS = 25;

/** How long ago an issue may have been seen last; issues are counted over that time. */
export const RANGES = [
  { value: ANY, title: "any time", counted: "30 days" },
  { value: "-24h", title: "the last day", counted: "24 hours" },
  { value: "-7d", title: "the last 7 days", counted: "7 days" },
  { value: "-30d", title: "the last 30 days", counted: "30 days" },
  { value: "-90d", title: "the last 90 days", counted: "90 days" },
] as const;

/** Which issues are shown, and in which order: as the address says. */
export interface Choice {
  readonly status: string;
  readonly severity: string;
  readonly assignee: string;
  readonly text: string;
  readonly order: Order;
  readonly seen: string;
  readonly page: number;
  /** The ids of issues that something is to be done with. */
  readonly chosen: readonly string[];
}

/** The columns that sort. */
const SORTED = ["occurrences", "users", "sessions", "last_seen", "first_seen"] as const;
export type Sorted = (typeof SORTED)[number];

/** The order that an address names: a column, after a minus where the largest or latest comes first. */
const readOrder = (name: string): Order =>
  SORTED.flatMap((column) => [column, `-${column}`] as const).find((order) => order === name) ?? "-users";

/** What each filter is where the address does not say. */
export const STANDARD = { status: "active", severity: ANY, assignee: ANY, text: "", order: "-users", seen: ANY } as const;

const UUID = /^[0-9a-f-]{36}$/;

export const readChoice = (address: Address): Choice => {
  const { query } = address;
  const read = (name: keyof typeof STANDARD): string => query.get(name) ?? STANDARD[name];
  return {
    status: read("status"),
    severity: read("severity"),
    assignee: read("assignee"),
    text: read("text"),
    order: readOrder(read("order")),
    seen: read("seen"),
    page: readPage(address),
    chosen:
      query
        .get("chosen")
        ?.split(",")
        .filter((id) => UUID.test(id)) ?? [],
  };
};

/** The same list with one filter changed, from its first page. */
export const withFilter = (address: Address, name: keyof typeof STANDARD, value: string): string =>
  withQuery(address, { [name]: value === STANDARD[name] ? undefined : value, page: undefined });

/** Where issues are in the order of a column: the most first, and the other way round where they are so already. */
export const sortedBy = (address: Address, column: Sorted): string => {
  const { order } = readChoice(address);
  return withFilter(address, "order", order === `-${column}` ? column : `-${column}`);
};

/** What the API is asked for. */
export const issueQuery = ({ status, severity, assignee, text, order, seen, page }: Choice): IssueQuery => ({
  status,
  order_by: order,
  ...(severity !== ANY && { severity }),
  ...(assignee !== ANY && { assignee }),
  ...(text.trim() !== "" && { search: text.trim() }),
  ...(seen !== ANY && { date_from: seen }),
  aggregations: "occurrences,users,sessions,last_seen,sparkline",
  limit: ROWS,
  offset: (page - 1) * ROWS,
});
