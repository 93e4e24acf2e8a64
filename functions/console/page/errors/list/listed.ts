import type { Address } from "../../address.ts";
import { assigneeValue } from "../assignees.ts";
import type { Issue } from "../calls.ts";
import { readPage } from "../pager.tsx";
import { type Counts, placeText } from "../queries.ts";

/** An issue with what the last days' events say of it; no counts where there were none. */
export interface ListedIssue extends Issue {
  readonly counts: Counts | undefined;
}

export const ORDERS = [
  { value: "users", title: "Users" },
  { value: "events", title: "Events" },
  { value: "last_seen", title: "Last seen" },
  { value: "first_seen", title: "First seen" },
] as const;

/** Which issues are shown, and in which order: as the address says. */
export interface Choice {
  readonly status: string;
  readonly severity: string;
  readonly assignee: string;
  readonly text: string;
  readonly order: string;
  readonly page: number;
  /** The ids of issues that something is to be done with. */
  readonly chosen: readonly string[];
}

export const ANY = "all";

export const readChoice = (address: Address): Choice => {
  const { query } = address;
  return {
    status: query.get("status") ?? "active",
    severity: query.get("severity") ?? ANY,
    assignee: query.get("assignee") ?? ANY,
    text: query.get("text") ?? "",
    order: query.get("order") ?? "users",
    page: readPage(address),
    chosen: query.get("chosen")?.split(",").filter(Boolean) ?? [],
  };
};

/** The issues that were chosen, in the order that was. */
export const chooseIssues = (
  issues: readonly ListedIssue[],
  { status, severity, assignee, text, order }: Choice,
): readonly ListedIssue[] => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isShown = (issue: ListedIssue): boolean =>
    (status === ANY || issue.status === status) &&
    (severity === ANY || (issue.severity ?? "none") === severity) &&
    (assignee === ANY || assigneeValue(issue.assignee) === assignee) &&
    words.every((word) => issueText(issue).includes(word));
  return issues.filter(isShown).toSorted((a, b) => compare(order, a, b));
};

const issueText = ({ id, name, description, counts }: ListedIssue): string =>
  [id, name, description, placeText(counts?.place)].filter(Boolean).join(" ").toLowerCase();

const compare = (order: string, a: ListedIssue, b: ListedIssue): number => {
  switch (order) {
    case "last_seen":
      return Date.parse(b.counts?.lastSeen ?? "") - Date.parse(a.counts?.lastSeen ?? "") || Number(!!b.counts) - Number(!!a.counts);
    case "first_seen":
      return Date.parse(b.first_seen) - Date.parse(a.first_seen);
    case "events":
      return (b.counts?.events ?? 0) - (a.counts?.events ?? 0);
    default:
      return (b.counts?.users ?? 0) - (a.counts?.users ?? 0) || (b.counts?.events ?? 0) - (a.counts?.events ?? 0);
  }
};
