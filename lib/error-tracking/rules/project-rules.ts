import { cache, perOwner } from "../../core/cache.ts";
import type { Item } from "../../ports/table.ts";
import { type Layout, plainAttributes } from "../../table/entity.ts";
import { keyIn, partitionKey } from "../../table/partitions.ts";
import type { AlertRule } from "../alert-rules.ts";
import { type AlertRuleInForce, alertRuleInForce } from "../alerts/rule-in-force.ts";
import { type Grouping, readGrouping } from "../grouping/grouping.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { RuleKind, StoredRules } from "../rules.ts";
import type { ErrorTrackingSetting, SpikeDetectionConfig } from "../settings.ts";
import { DEFAULT_SPIKE_DETECTION } from "../spikes/buckets.ts";
import { ALERT_RULE_LAYOUT, ruleLayout, SETTINGS_LAYOUT, SPIKE_CONFIG_LAYOUT } from "../stored/layouts.ts";
import { type RulesOfKind, rulesInForce } from "./rule.ts";

/** The rules of a project that are in force. */
export type RulesInForce = { readonly [K in RuleKind]: RulesOfKind<K> };

/** The rules and settings of a project for its exceptions. */
export interface ProjectRules extends RulesInForce {
  readonly alerts: readonly AlertRuleInForce[];
  readonly limits: Omit<ErrorTrackingSetting, "project"> | null;
  readonly spikes: Omit<SpikeDetectionConfig, "project">;
  /** What makes the fingerprints that no rule makes. */
  readonly algorithm: Grouping;
}

/** How long a process goes by what it read: a new rule counts within so many milliseconds. */
const KEPT_MS = 2_000;

/** Projects remembered at once. */
const MAX_PROJECTS = 1_000;

const remembered = perOwner((_: TrackingParts) => cache<number, ProjectRules>({ capacity: MAX_PROJECTS }));

/** Reads them with one query, and what else is asked of the project, once in `KEPT_MS`. */
export const projectRules = (parts: TrackingParts, project: number): Promise<ProjectRules> =>
  remembered(parts).of(project, parts.clock.now(), KEPT_MS, () => readRules(parts, project));

/** Reads them anew the next time, because some are out of force by now. */
export const forgetRules = (parts: TrackingParts, project: number): void => remembered(parts).delete(project);

const readRules = async ({ table }: TrackingParts, project: number): Promise<ProjectRules> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: partitionKey("errorTracking", { project }), cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  const { timezone, algorithm } = await readSettings(table, project);
  const of = <T extends object>(layout: Layout): readonly T[] =>
    items.filter(({ entity }) => entity === layout.name).map((item) => plainAttributes<T>(layout, item));
  const inForce = <K extends RuleKind>(kind: K): RulesOfKind<K> => rulesInForce(kind, of<StoredRules[K]>(ruleLayout(kind)), timezone);
  return {
    grouping: inForce("grouping"),
    severity: inForce("severity"),
    assignment: inForce("assignment"),
    alerts: of<AlertRule>(ALERT_RULE_LAYOUT).flatMap((rule) => alertRuleInForce(rule, timezone)),
    limits: of<ErrorTrackingSetting>(SETTINGS_LAYOUT)[0] ?? null,
    spikes: of<SpikeDetectionConfig>(SPIKE_CONFIG_LAYOUT)[0] ?? DEFAULT_SPIKE_DETECTION,
    algorithm,
  };
};

/** Read without the project's schema, which ingest does not carry. */
const readSettings = async (
  table: TrackingParts["table"],
  project: number,
): Promise<Pick<ProjectRules, "algorithm"> & { readonly timezone: string }> => {
  const item = await table.get(keyIn("project", "project", { project }));
  return { timezone: typeof item?.timezone === "string" ? item.timezone : "UTC", algorithm: readGrouping(item) };
};
