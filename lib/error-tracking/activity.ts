import { DAY_MS, isoMicros, SECOND_MS } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Write } from "../ports/table.ts";
import { plainItem } from "../table/entity.ts";
import { TTL_ATTRIBUTE } from "../table/layout.ts";
import type { IssueActivity } from "./issue-activities.ts";
import type { Assignee, Issue } from "./issues.ts";
import { ACTIVITY_LAYOUT } from "./stored/layouts.ts";

interface Changed<T> {
  readonly from: T;
  readonly to: T;
}

/** The ids of the other issues that had a part in it. */
interface OtherIssues {
  readonly ids: readonly string[];
}

/** What was done, and what is noted of it. */
export type Activity =
  | { readonly activity: "status_changed"; readonly detail: Changed<Issue["status"]> }
  | { readonly activity: "severity_changed"; readonly detail: Changed<Issue["severity"]> }
  | { readonly activity: "assigned"; readonly detail: Changed<Assignee | null> }
  | {
      readonly activity: "renamed";
      readonly detail: { readonly name?: Changed<string | null>; readonly description?: Changed<string | null> };
    }
  | { readonly activity: "merged" | "unmerged" | "split"; readonly detail: OtherIssues }
  | { readonly activity: "reopened"; readonly detail: { readonly from: Issue["status"] } };

/** With which issue it was done, and by which user; null where an exception did it. */
interface Place {
  readonly project: number;
  readonly issue_id: string;
  readonly user: number | null;
}

/** How long an entry is kept. */
const KEPT_MS = 365 * DAY_MS;

/** The write that notes what is done with an issue, for the transaction that does it. Carries no schema, because ingest writes one, too. */
export const activityWrite = ({ clock, ids }: Pick<Ports, "clock" | "ids">, { user, ...activity }: Place & Activity): Write => {
  const now = clock.now();
  const item = plainItem(ACTIVITY_LAYOUT, {
    ...activity,
    id: ids.uuid(),
    user_id: user,
    created_at: isoMicros(now),
  } satisfies Stored);
  return { kind: "put", item: { ...item, [TTL_ATTRIBUTE]: Math.ceil((now + KEPT_MS) / SECOND_MS) } };
};

type Stored = Omit<IssueActivity, "detail"> & { readonly detail: object };
