import { isoSeconds } from "../core/time.ts";
import { Organizations } from "../organizations/organizations.ts";
import type { Ports } from "../ports/ports.ts";
import type { Table } from "../ports/table.ts";
import { get, list, putting } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";
import { type Alert, Alerts, THRESHOLDS, type Threshold } from "./alerts/alert.ts";
import { runCommand } from "./commands.ts";
import { noticeWrites } from "./notices.ts";
import type { Period } from "./rating/period.ts";

/** The use of a product that has a limit. */
export interface LimitUse {
  /** Type of the product or addon. */
  readonly product: string;
  readonly name: string;
  readonly usage_key: string;
  readonly usage: number;
  readonly limit: number;
  readonly period: Period;
  /** From when on its data is dropped, milliseconds; null where nothing is dropped as things stand. */
  readonly dropsFrom: number | null;
}

type Parts = Pick<Ports, "table" | "clock">;

/**
 * Writes down which thresholds the products of an organization have come to, and with each what is to be told of it: once for each
 * period, product and threshold, by however many this is done at once. Of several that were crossed since, the highest is told.
 */
export const noteAlerts = async (parts: Parts, organization_id: string, uses: readonly LimitUse[]): Promise<void> => {
  const now = parts.clock.now();
  const crossed = uses.flatMap((use) => {
    const threshold = thresholdOf(use, now);
    return threshold === undefined ? [] : [{ use, threshold }];
  });
  const [first] = crossed;
  if (first === undefined) return;
  const known = await readKnown(parts.table, organization_id, first.use.period);
  const news = crossed.filter(({ use, threshold }) => !known.has(alertName(use.product, threshold)));
  if (news.length === 0 || !(await isThere(parts.table, organization_id))) return;
  for (const each of news) await noteOne(parts, organization_id, each);
};

/** A part of a limit is crossed from here on, in hundredths. */
const EARLY = 80;
const WHOLE = 100;

/** The highest threshold that a use has come to. Nobody is told that nothing was used of nothing. */
const thresholdOf = ({ usage, limit, dropsFrom }: LimitUse, now: number): Threshold | undefined => {
  if (usage === 0) return undefined;
  if (dropsFrom !== null && dropsFrom <= now) return "dropping";
  if (usage >= limit) return "100";
  return usage * WHOLE >= limit * EARLY ? "80" : undefined;
};

const alertName = (product: string, threshold: Threshold): string => `${product}#${threshold}`;

const readKnown = async (table: Table, organization_id: string, { start }: Period): Promise<ReadonlySet<string>> => {
  const alerts = await list(table, Alerts, "key", { organization_id, period_start: start }, { consistent: true });
  return new Set(alerts.map(({ product, threshold }) => alertName(product, threshold)));
};

/** Nobody is told of an organization that was removed. */
const isThere = async (table: Table, id: string): Promise<boolean> =>
  (await get(table, Organizations, { id }, { consistent: true }))?.state === "active";

interface Crossed {
  readonly use: LimitUse;
  readonly threshold: Threshold;
}

const noteOne = (parts: Parts, organization_id: string, { use, threshold }: Crossed): Promise<null> =>
  runCommand(parts, { organization: organization_id, operation: "alert", key: undefined, body: null }, async () => {
    const known = await readKnown(parts.table, organization_id, use.period);
    if (known.has(alertName(use.product, threshold))) return { writes: [], answer: null };
    const now = parts.clock.now();
    const below = THRESHOLDS.slice(0, THRESHOLDS.indexOf(threshold)).filter((each) => !known.has(alertName(use.product, each)));
    const told = newAlert(organization_id, use, threshold, now);
    const passed = below.map((each) => ({ ...told, threshold: each, letter: "superseded" as const, due_at: null }));
    const writes = [told, ...passed].map((alert) => putting(Alerts, alert, ABSENT));
    return { writes: [...writes, ...noticeWrites(parts, organization_id, alertEvent(told))], answer: null };
  });

const newAlert = (organization_id: string, use: LimitUse, threshold: Threshold, now: number): Alert => ({
  organization_id,
  period_start: use.period.start,
  period_end: use.period.end,
  product: use.product,
  name: use.name,
  usage_key: use.usage_key,
  threshold,
  usage: use.usage,
  limit: use.limit,
  at: now,
  drops_from: use.dropsFrom,
  letter: "waiting",
  attempts: 0,
  due_at: now,
  version: 1,
});

const alertEvent = (alert: Alert) => ({
  type: "billing.limit" as const,
  subject: `${alert.period_start}#${alertName(alert.product, alert.threshold)}`,
  data: alertFields(alert),
});

/** What is told of an alert, to people and to programs. */
export const alertFields = (alert: Alert) => ({
  product: alert.product,
  name: alert.name,
  usage_key: alert.usage_key,
  threshold: alert.threshold,
  usage: alert.usage,
  limit: alert.limit,
  period_start: isoSeconds(alert.period_start),
  period_end: isoSeconds(alert.period_end),
  drops_from: alert.drops_from === null ? null : isoSeconds(alert.drops_from),
});

/** An organization's alerts of the last year, the newest first. */
export const readAlerts = async (table: Table, organization_id: string): Promise<readonly Alert[]> => {
  const alerts = await list(table, Alerts, "key", { organization_id }, { consistent: true });
  return alerts.toSorted(
    (a, b) =>
      b.period_start - a.period_start ||
      b.at - a.at ||
      (a.product < b.product ? -1 : a.product > b.product ? 1 : THRESHOLDS.indexOf(b.threshold) - THRESHOLDS.indexOf(a.threshold)),
  );
};
