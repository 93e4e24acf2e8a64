import { cache, perOwner } from "../../core/cache.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { Key, Write } from "../../ports/table.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn } from "../../table/partitions.ts";
import { ABSENT } from "../../table/transact.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { TrackingParts } from "../pipeline/parts.ts";

/** What a cool-down is counted for: a rule and an issue. */
export interface AlertSubject {
  readonly rule: AlertRule;
  readonly issueId: string;
  /** When it happened, of what happens once: it raises one alert, whatever the cool-down. Null for what goes on. */
  readonly since: number | null;
}

/** An issue counts as new or reopened for so long: the messages of an interrupted drain are delivered again meanwhile. */
export const RECENT_MS = HOUR_MS;

/** An item with the time of the last alert. */
interface Marker {
  readonly key: Key;
  readonly coolDownMs: number;
  readonly since: number | null;
}

/** A rule on new issues has one cool-down for all of them, the others have one for each issue. */
const markersOf = ({ rule, issueId, since }: AlertSubject): readonly Marker[] => {
  const at = (about: string): Key => keyIn("issueAlerts", "told", { project: rule.project, rule: rule.id, about });
  const coolDownMs = rule.cooldown_minutes * MINUTE_MS;
  if (rule.trigger !== "issue_created") return [{ key: at(issueId), coolDownMs, since }];
  return [
    { key: at("new"), coolDownMs, since: null },
    { key: at(issueId), coolDownMs: 0, since },
  ];
};

/** Until when a marker that was written `at` a moment keeps further alerts back. */
const holdsUntil = ({ coolDownMs, since }: Marker, at: number): number =>
  Math.max(at + coolDownMs, since !== null && at >= since ? since + RECENT_MS : 0);

const MAX_KNOWN = 10_000;

/** Markers that this process has read, until they no longer hold. */
const knownMarkers = perOwner((_: TrackingParts) => cache<string, true>({ capacity: MAX_KNOWN }));

const nameOf = ({ key, coolDownMs, since }: Marker): string => `${key.pk}#${key.sk}#${coolDownMs}#${since}`;

/** The subjects that no cool-down keeps back, as far as an eventually consistent read shows. One call, none for markers that this process knows. */
export const outsideCoolDown = async <T extends AlertSubject>(parts: TrackingParts, subjects: readonly T[]): Promise<readonly T[]> => {
  const now = parts.clock.now();
  const known = knownMarkers(parts);
  const open = subjects.filter((subject) => markersOf(subject).every((marker) => !known.get(nameOf(marker), now)));
  if (open.length === 0) return [];
  const keys = new Map(open.flatMap(markersOf).map(({ key }) => [key.sk, key]));
  const alertedAt = new Map((await parts.table.getMany([...keys.values()])).map(({ sk, at }) => [sk, at]));
  const holds = (marker: Marker): boolean => {
    const at = alertedAt.get(marker.key.sk);
    if (typeof at !== "number" || holdsUntil(marker, at) <= now) return false;
    known.set(nameOf(marker), true, holdsUntil(marker, at));
    return true;
  };
  return open.filter((subject) => !markersOf(subject).some(holds));
};

const FORMAT = 1;

/** Alerts of a rule in an hour by the clock, at most: whoever has a project's public token can make any number of issues spike. */
const MOST_AN_HOUR = 60;

/**
 * The writes that begin the cool-down of an alert about some subjects of one rule, and count it for the hour. They fail where another drain
 * was first, or the hour has too many.
 */
export const coolDownWrites = (subjects: readonly [AlertSubject, ...AlertSubject[]], now: number): readonly Write[] => {
  const [{ rule }] = subjects;
  const markers = new Map(subjects.flatMap(markersOf).map((marker) => [marker.key.sk, marker]));
  const hour = Math.floor(now / HOUR_MS);
  return [
    {
      kind: "update",
      key: keyIn("issueAlerts", "hour", { project: rule.project, rule: rule.id, hour }),
      change: { set: { entity: "issue_alert_hour", v: FORMAT, [TTL_ATTRIBUTE]: ((hour + 2) * HOUR_MS) / 1_000 }, add: { told: 1 } },
      when: {
        kind: "any",
        of: [
          { kind: "lacks", attribute: "told" },
          { kind: "less", attribute: "told", value: MOST_AN_HOUR },
        ],
      },
    },
    ...[...markers.values()].map((marker) => puttingMarker(marker, now)),
  ];
};

/** By another process's clock it may have happened a moment later than now. */
const puttingMarker = (marker: Marker, now: number): Write => {
  const { key, coolDownMs, since } = marker;
  const at = Math.max(now, since ?? 0);
  const item = { ...key, entity: "issue_alert_told", v: FORMAT, at, [TTL_ATTRIBUTE]: Math.ceil(holdsUntil(marker, at) / 1_000) };
  const before = Math.min(now - coolDownMs + 1, since ?? Number.POSITIVE_INFINITY);
  return { kind: "put", item, when: { kind: "any", of: [ABSENT, { kind: "less", attribute: "at", value: before }] } };
};
