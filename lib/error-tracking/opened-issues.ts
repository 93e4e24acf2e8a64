import { DAY_MS, isoDay, SECOND_MS } from "../core/time.ts";
import type { Ports } from "../ports/ports.ts";
import type { Condition, Key, Write } from "../ports/table.ts";
import { TTL_ATTRIBUTE } from "../table/layout.ts";
import { keyIn } from "../table/partitions.ts";

/** Issues that a project opens in a UTC day at most, give or take those of one transaction: anybody who has its public token can make them up. */
export const MAX_ISSUES_PER_DAY = 10_000;

/** The number of a day is kept until the day is surely over. */
const KEPT_MS = 3 * DAY_MS;

const ROOM: Condition = {
  kind: "any",
  of: [
    { kind: "lacks", attribute: "count" },
    { kind: "less", attribute: "count", value: MAX_ISSUES_PER_DAY },
  ],
};

/** The write that counts issues as opened today; where `isBounded`, it fails if the day has too many already. */
export const countingOpened = ({ clock }: Pick<Ports, "clock">, project: number, by: number, isBounded: boolean): Write => {
  const now = clock.now();
  const set = { entity: "issues_opened", v: 1, [TTL_ATTRIBUTE]: Math.ceil((now + KEPT_MS) / SECOND_MS) };
  return { kind: "update", key: openedKey(project, now), change: { add: { count: by }, set }, ...(isBounded && { when: ROOM }) };
};

/** Issues that a project has opened in this UTC day. */
export const readOpenedToday = async ({ table, clock }: Pick<Ports, "table" | "clock">, project: number): Promise<number> => {
  const item = await table.get(openedKey(project, clock.now()));
  return typeof item?.count === "number" ? item.count : 0;
};

const openedKey = (project: number, now: number): Key =>
  keyIn("exceptionLimits", "opened", { project, day: isoDay(Math.floor(now / DAY_MS)) });
