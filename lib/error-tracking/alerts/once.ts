import { cache, perOwner } from "../../core/cache.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { Key, Write } from "../../ports/table.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn } from "../../table/partitions.ts";
import { ABSENT } from "../../table/transact.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { TrackingParts } from "../pipeline/parts.ts";

/** Something that a rule might tell of an issue. */
export interface Topic {
  readonly rule: AlertRule;
  readonly issueId: string;
  /** When it happened, where it happens once: it is told once, whatever the cool-down. Null for what goes on. */
  readonly since: number | null;
}

/** So long after it was made or opened again an issue is looked at: a drain that was broken off comes again meanwhile. */
export const RECENT_MS = HOUR_MS;

/** An item that says when something was told last. */
interface Marker {
  readonly key: Key;
  readonly coolDownMs: number;
  readonly since: number | null;
}

/** A rule on new issues has one cool-down for all of them, the others have one for each issue. */
const markersOf = ({ rule, issueId, since }: Topic): readonly Marker[] => {
  const at = (about: string): Key => keyIn("issueAlerts", "told", { project: rule.project, rule: rule.id, about });
  const coolDownMs = rule.cooldown_minutes * MINUTE_MS;
  if (rule.trigger !== "issue_created") return [{ key: at(issueId), coolDownMs, since }];
  return [
    { key: at("new"), coolDownMs, since: null },
    { key: at(issueId), coolDownMs: 0, since },
  ];
};

/** Until when it is not told again what a marker is about, where that was told at a moment. */
const holdsUntil = ({ coolDownMs, since }: Marker, at: number): number =>
  Math.max(at + coolDownMs, since !== null && at >= since ? since + RECENT_MS : 0);

const MAX_KNOWN = 10_000;

/** Markers that the process knows to hold. */
const holding = perOwner((_: TrackingParts) => cache<string, true>({ capacity: MAX_KNOWN }));

const nameOf = ({ key, coolDownMs, since }: Marker): string => `${key.pk}#${key.sk}#${coolDownMs}#${since}`;

/** Those topics that may be told, as far as a look shows that may be late: one call at most, and none for what the process knows. */
export const untold = async <T extends Topic>(parts: TrackingParts, topics: readonly T[]): Promise<readonly T[]> => {
  const now = parts.clock.now();
  const known = holding(parts);
  const open = topics.filter((topic) => markersOf(topic).every((marker) => !known.get(nameOf(marker), now)));
  if (open.length === 0) return [];
  const keys = new Map(open.flatMap(markersOf).map(({ key }) => [key.sk, key]));
  const toldAt = new Map((await parts.table.getMany([...keys.values()])).map(({ sk, at }) => [sk, at]));
  const holds = (marker: Marker): boolean => {
    const at = toldAt.get(marker.key.sk);
    if (typeof at !== "number" || holdsUntil(marker, at) <= now) return false;
    known.set(nameOf(marker), true, holdsUntil(marker, at));
    return true;
  };
  return open.filter((topic) => !markersOf(topic).some(holds));
};

const FORMAT = 1;

/** Alerts that a rule tells in an hour by the clock at most: whoever has a project's public token can make any number of issues spike. */
export const MOST_AN_HOUR = 60;

/** The writes by which an alert of some topics of a rule is told once, and the rule tells no more than it may: they fail otherwise. */
export const onceWrites = (topics: readonly [Topic, ...Topic[]], now: number): readonly Write[] => {
  const [{ rule }] = topics;
  const markers = new Map(topics.flatMap(markersOf).map((marker) => [marker.key.sk, marker]));
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
