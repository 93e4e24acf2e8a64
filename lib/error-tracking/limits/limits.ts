import { forEachConcurrent } from "../../core/concurrency.ts";
import { MINUTE_MS } from "../../core/time.ts";
import type { Item, Key } from "../../ports/table.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn } from "../../table/partitions.ts";
import { untilWritten } from "../../table/until-written.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { ErrorTrackingSetting } from "../settings.ts";
import { fullBucket, type Limit, type TokenBucket, take } from "./token-bucket.ts";

/** An event that is stored if the limits let it pass. */
export interface StorableEvent {
  readonly delivery: string;
  /** History, which is limited by nothing, or not. */
  readonly row: { readonly historical: boolean };
}

type Settings = Omit<ErrorTrackingSetting, "project"> | null;

/**
 * The events for which issues may be made and reopened: those that an issue's limit lets through, and of those what the project's lets
 * through. `issueOf` is null for an event whose issue is not there yet: what its limit lets through is counted by `limitNewIssues`.
 */
export const applyLimits = async <E extends StorableEvent>(
  parts: TrackingParts,
  project: number,
  settings: Settings,
  events: readonly E[],
  { issueOf, fingerprintOf }: { readonly issueOf: (event: E) => string | null; readonly fingerprintOf: (event: E) => string },
): Promise<readonly E[]> => {
  const { ofIssue, ofProject } = activeLimits(settings);
  const limited = events.filter(({ row }) => !row.historical);
  if ((ofIssue === null && ofProject === null) || limited.length === 0) return events;
  let passed: readonly E[] = limited;
  if (ofIssue !== null) {
    const known = limited.filter((event) => issueOf(event) !== null);
    const fresh = limited.filter((event) => issueOf(event) === null);
    const first = Map.groupBy(fresh, fingerprintOf).values();
    passed = [
      ...(await takeFromLimit(parts, project, ofIssue, known, (event) => issueOf(event) ?? "")),
      // The bucket of a new issue is full.
      ...[...first].flatMap((own) => own.slice(0, ofIssue.capacity)),
    ];
  }
  if (ofProject !== null) passed = await takeFromLimit(parts, project, ofProject, inTheirOrder(events, passed), () => "project");
  return inTheirOrder(events, passed, ({ row }) => row.historical);
};

/** Of the events whose issues have just been made, those that the limit of an issue lets through. */
export const limitNewIssues = async <E extends StorableEvent>(
  parts: TrackingParts,
  project: number,
  settings: Settings,
  events: readonly E[],
  issueOf: (event: E) => string,
): Promise<readonly E[]> => {
  const { ofIssue } = activeLimits(settings);
  const limited = events.filter(({ row }) => !row.historical);
  if (ofIssue === null || limited.length === 0) return events;
  const passed = await takeFromLimit(parts, project, ofIssue, limited, issueOf);
  return inTheirOrder(events, passed, ({ row }) => row.historical);
};

const inTheirOrder = <E>(events: readonly E[], some: readonly E[], besides: (event: E) => boolean = () => false): readonly E[] => {
  const chosen = new Set(some);
  return events.filter((event) => chosen.has(event) || besides(event));
};

const activeLimits = (settings: Settings): { readonly ofIssue: Limit | null; readonly ofProject: Limit | null } => ({
  ofIssue: activeLimit(settings?.per_issue_rate_limit_value, settings?.per_issue_rate_limit_bucket_size_minutes),
  ofProject: activeLimit(settings?.project_rate_limit_value, settings?.project_rate_limit_bucket_size_minutes),
});

/** A limit holds only where both of its numbers are set. */
const activeLimit = (value: number | null = null, minutes: number | null = null): Limit | null =>
  value === null || minutes === null ? null : { capacity: value, periodMs: minutes * MINUTE_MS };

/** Buckets taken from side by side. */
const CONCURRENCY = 8;

const takeFromLimit = async <E extends StorableEvent>(
  parts: TrackingParts,
  project: number,
  limit: Limit,
  events: readonly E[],
  scopeOf: (event: E) => string,
): Promise<readonly E[]> => {
  const scopes = Map.groupBy(events, scopeOf);
  const passed = new Set<E>();
  await forEachConcurrent(scopes, CONCURRENCY, async ([scope, own]) => {
    const deliveries = Map.groupBy(own, ({ delivery }) => delivery);
    const wanted = new Map([...deliveries].map(([delivery, asking]) => [delivery, asking.length]));
    const granted = await takeStored(parts, bucketKey(project, scope), limit, wanted);
    for (const [delivery, asking] of deliveries) for (const event of asking.slice(0, granted.get(delivery) ?? 0)) passed.add(event);
  });
  return events.filter((event) => passed.has(event));
};

const bucketKey = (project: number, scope: string): Key => keyIn("exceptionLimits", "bucket", { project, scope });

/** Tries of a bucket that others take from at the same time. */
const TRIES = 10;

const FORMAT = 1;

/** Takes from the stored bucket, which is written only as it was read. */
const takeStored = async (
  { table, clock }: TrackingParts,
  key: Key,
  limit: Limit,
  wanted: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> =>
  untilWritten({ most: TRIES }, async () => {
    const stored = await table.get(key, { consistent: true });
    const now = clock.now();
    const { bucket, granted } = take(stored === undefined ? fullBucket(limit, now) : storedBucket(stored), limit, wanted, now);
    const revision = typeof stored?.rev === "number" ? stored.rev : 0;
    const item: Item = {
      ...key,
      entity: "exception_limit",
      v: FORMAT,
      rev: revision + 1,
      thousandths: bucket.thousandths,
      at: bucket.at,
      grants: JSON.stringify(bucket.grants),
      // Once the period is over the bucket is full again, as if there were none.
      [TTL_ATTRIBUTE]: Math.ceil((now + limit.periodMs) / 1_000) + 3_600,
    };
    await table.put(item, stored === undefined ? { kind: "absent" } : { kind: "equals", attribute: "rev", value: revision });
    return granted;
  });

const storedBucket = ({ thousandths, at, grants }: Item): TokenBucket => ({
  thousandths: typeof thousandths === "number" ? thousandths : 0,
  at: typeof at === "number" ? at : 0,
  grants: typeof grants === "string" ? JSON.parse(grants) : [],
});
