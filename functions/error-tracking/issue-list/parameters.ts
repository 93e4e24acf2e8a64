import * as z from "zod";
import { isHyphenatedUuid } from "../../../lib/core/uuid.ts";
import { assigneeText } from "../../../lib/error-tracking/issue-rows.ts";
import { type Issue, STATUSES } from "../../../lib/error-tracking/issues.ts";
import { SEVERITIES } from "../../../lib/error-tracking/severities.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { PageQuery } from "../../../lib/http/pagination.ts";

/** What the list can be ordered by: what is stored with an issue, and what its exceptions say. */
const STORED = ["created_at", "first_seen"] as const;
const COUNTED = ["last_seen", "occurrences", "users", "sessions"] as const;
export type StoredKey = (typeof STORED)[number];
export type CountedKey = (typeof COUNTED)[number];

const ORDERS = [...STORED, ...COUNTED].flatMap((key) => [key, `-${key}`] as const);

const AGGREGATIONS = ["occurrences", "users", "sessions", "last_seen", "sparkline"] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

const optional = (description: string) => z.string().optional().meta({ description });

/** The parameters of the list. An empty one counts as left out. */
export const IssueListQuery = PageQuery.extend({
  order_by: z.literal("").or(z.enum(ORDERS)).optional().meta({
    enum: ORDERS,
    description: "What the list is ordered by, with a minus the greatest first; -created_at when left out.",
  }),
  status: optional(`One status or several with commas between them: ${STATUSES.join(", ")}; or all, as when left out.`),
  severity: optional(`One severity or several with commas between them: ${SEVERITIES.join(", ")}; or none.`),
  assignee: optional("Who looks after the issue: user: and a number, role: and a UUID, or none for nobody."),
  search: optional("A part of the name or of the description, in upper or lower case."),
  date_from: optional(
    "Only issues with an exception from then on: a date, a moment or an amount of time such as -7d or -24h. It also begins what aggregations count; 30 days before the end when left out.",
  ),
  date_to: optional("The same for the end; now when left out. Of a date the whole day counts."),
  aggregations: optional(
    `What each entry carries of its exceptions in that time, with commas between them: ${AGGREGATIONS.join(", ")} (at most 48 steps).`,
  ),
});
type Sent = z.output<typeof IssueListQuery>;

/** What the list is ordered by. */
export interface Order {
  readonly key: StoredKey | CountedKey;
  readonly descending: boolean;
}

/** The dates of a list as they were sent. */
export interface SentDates {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** What a list asks for. */
export interface IssueListRequest {
  readonly order: Order;
  /** Whether an issue is in the list, as far as it is stored; undefined where all are. */
  readonly passes: ((issue: Issue) => boolean) | undefined;
  /** Null where exceptions are not asked for in a time. */
  readonly dates: SentDates | null;
  readonly aggregations: readonly Aggregation[];
}

/** Reads the parameters. Throws 400 on the one that says nothing. */
export const readIssueListQuery = (sent: Sent): IssueListRequest => {
  const tests = [statusTest(sent.status), severityTest(sent.severity), assigneeTest(sent.assignee), searchTest(sent.search)].filter(
    (test) => test !== undefined,
  );
  const [from, to] = [sent.date_from || undefined, sent.date_to || undefined];
  return {
    order: readOrder(sent.order_by || "-created_at"),
    passes: tests.length === 0 ? undefined : (issue) => tests.every((test) => test(issue)),
    dates: from === undefined && to === undefined ? null : { from, to },
    aggregations: choices(sent.aggregations, AGGREGATIONS, "aggregations") ?? [],
  };
};

const readOrder = (text: string): Order => {
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  const key = [...STORED, ...COUNTED].find((each) => each === name) ?? "created_at";
  return { key, descending };
};

export const isStoredKey = (key: Order["key"]): key is StoredKey => STORED.some((each) => each === key);

type Test = (issue: Issue) => boolean;

const ALL = "all";
const NONE = "none";

const statusTest = (sent: string | undefined): Test | undefined => {
  const wanted = choices(sent, [...STATUSES, ALL], "status");
  if (wanted === undefined || wanted.includes(ALL)) return undefined;
  return ({ status }) => wanted.includes(status);
};

const severityTest = (sent: string | undefined): Test | undefined => {
  const wanted = choices(sent, [...SEVERITIES, NONE], "severity");
  return wanted && (({ severity }) => wanted.includes(severity ?? NONE));
};

const assigneeTest = (sent: string | undefined): Test | undefined => {
  if (!sent) return undefined;
  const wanted = sent === NONE ? null : readAssignee(sent);
  if (wanted === undefined) throw invalid("assignee", "Must be `user:` with a number, `role:` with a UUID, or `none`.");
  return ({ assignee }) => assigneeText(assignee) === wanted;
};

const readAssignee = (sent: string): string | undefined => {
  const [type, id = ""] = sent.split(/:(.*)/s);
  if (type === "user" && /^\d{1,15}$/.test(id)) return `user:${Number(id)}`;
  return type === "role" && isHyphenatedUuid(id) ? `role:${id.toLowerCase()}` : undefined;
};

const searchTest = (sent: string | undefined): Test | undefined => {
  const part = sent?.toLowerCase();
  if (!part) return undefined;
  return ({ name, description }) => [name, description].some((text) => text?.toLowerCase().includes(part));
};

const choices = <T extends string>(sent: string | undefined, known: readonly T[], attr: string): readonly T[] | undefined => {
  if (!sent) return undefined;
  return sent.split(",").map((part) => {
    const found = known.find((each) => each === part.trim());
    if (found === undefined) throw invalid(attr, `"${part.trim()}" is not a valid choice.`, "invalid_choice");
    return found;
  });
};
