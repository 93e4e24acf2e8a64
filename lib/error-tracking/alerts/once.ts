import { cache, perOwner } from "../../core/cache.ts";
import { HOUR_MS, MINUTE_MS } from "../../core/time.ts";
import type { Key, Write } from "../../ports/table.ts";
import { TTL_ATTRIBUTE } from "../../table/layout.ts";
import { keyIn } from "../../table/partitions.ts";
import type { AlertRule } from "../alert-rules.ts";
import type { TrackingParts } from "../pipeline/parts.ts";

/** Something that a rule might tell of an issue. */
export interface Topic {
  readonly rule: AlertRule;
  readonly issueId: string;
}

/** So long after it was made or opened again an issue is looked at: a drain that was broken off comes again meanwhile. */
export const NEW_MS = 15 * MINUTE_MS;

/** An item that says when something was told, and for how long it is not told again. */
interface Marker {
  readonly key: Key;
  readonly holdsMs: number;
}

/** A rule on new issues tells of each once, and of any once in its cool-down; the others have a cool-down for each issue. */
const markersOf = ({ rule, issueId }: Topic): readonly Marker[] => {
  const at = (about: string): Key => keyIn("issueAlerts", "told", { project: rule.project, rule: rule.id, about });
  const coolDownMs = rule.cooldown_minutes * MINUTE_MS;
  switch (rule.trigger) {
    case "issue_created":
      return [
        { key: at("new"), holdsMs: coolDownMs },
        { key: at(issueId), holdsMs: 2 * NEW_MS },
      ];
    case "issue_reopened":
      return [{ key: at(issueId), holdsMs: Math.max(coolDownMs, NEW_MS) }];
    default:
      return [{ key: at(issueId), holdsMs: coolDownMs }];
  }
};

const MAX_KNOWN = 10_000;

/** Markers that the process knows to hold. */
const holding = perOwner((_: TrackingParts) => cache<string, true>({ capacity: MAX_KNOWN }));

const nameOf = ({ key, holdsMs }: Marker): string => `${key.pk}#${key.sk}#${holdsMs}`;

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
    if (typeof at !== "number" || at + marker.holdsMs <= now) return false;
    known.set(nameOf(marker), true, at + marker.holdsMs);
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
    ...[...markers.values()].map(({ key, holdsMs }): Write => {
      const item = { ...key, entity: "issue_alert_told", v: FORMAT, at: now, [TTL_ATTRIBUTE]: Math.ceil((now + holdsMs) / 1_000) };
      return {
        kind: "put",
        item,
        when: { kind: "any", of: [{ kind: "absent" }, { kind: "less", attribute: "at", value: now - holdsMs + 1 }] },
      };
    }),
  ];
};
