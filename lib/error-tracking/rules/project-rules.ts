import { cache, perOwner } from "../../core/cache.ts";
import type { Item } from "../../ports/table.ts";
import { plainAttributes } from "../../table/entity.ts";
import { keyIn, pkOf } from "../../table/partitions.ts";
import type { GroupingRule } from "../grouping-rules.ts";
import type { TrackingParts } from "../pipeline/parts.ts";
import type { ErrorTrackingSetting } from "../settings.ts";
import type { SeverityRule } from "../severity-rules.ts";
import type { SpikeDetectionConfig } from "../spike-detection-configs.ts";
import { DEFAULT_SPIKE_DETECTION } from "../spike-detection-defaults.ts";
import { GROUPING_RULE_LAYOUT, SETTINGS_LAYOUT, SEVERITY_RULE_LAYOUT, SPIKE_CONFIG_LAYOUT } from "../stored/layouts.ts";
import { type Rule, ruleOf } from "./rule.ts";

/** What a project has set for its exceptions; rules in the order in which they are asked, without those that are disabled. */
export interface ProjectRules {
  readonly grouping: readonly Rule<GroupingRule>[];
  readonly severity: readonly Rule<SeverityRule>[];
  readonly limits: Omit<ErrorTrackingSetting, "project"> | null;
  readonly spikes: Omit<SpikeDetectionConfig, "project">;
}

/** How long a process goes by what it read: a new rule counts within so many milliseconds. */
const KEPT_MS = 5_000;

/** Projects remembered at once. */
const MAX_PROJECTS = 1_000;

const remembered = perOwner((_: TrackingParts) => cache<number, ProjectRules>({ capacity: MAX_PROJECTS }));

/** The rules and settings of a project: one query for all of them, and its time zone, once in a while. */
export const projectRules = (parts: TrackingParts, project: number): Promise<ProjectRules> =>
  remembered(parts).of(project, parts.clock.now(), KEPT_MS, () => readRules(parts, project));

const readRules = async ({ table }: TrackingParts, project: number): Promise<ProjectRules> => {
  const items: Item[] = [];
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: pkOf("errorTracking", { project }), cursor });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  const timezone = items.length === 0 ? "UTC" : await timezoneOf(table, project);
  const of = <T extends object>(layout: Parameters<typeof plainAttributes>[0]): readonly T[] =>
    items.filter(({ entity }) => entity === layout.name).map((item) => plainAttributes<T>(layout, item));
  return {
    grouping: inForce(of<GroupingRule>(GROUPING_RULE_LAYOUT)).map((rule) => ruleOf(rule, timezone)),
    severity: inForce(of<SeverityRule>(SEVERITY_RULE_LAYOUT)).map((rule) => ruleOf(rule, timezone)),
    limits: of<ErrorTrackingSetting>(SETTINGS_LAYOUT)[0] ?? null,
    spikes: of<SpikeDetectionConfig>(SPIKE_CONFIG_LAYOUT)[0] ?? DEFAULT_SPIKE_DETECTION,
  };
};

/** Where a project's own item lies is its entity's matter; of it only the time zone is asked here. */
const timezoneOf = async (table: TrackingParts["table"], project: number): Promise<string> => {
  const item = await table.get(keyIn("project", "project", { project }));
  return typeof item?.timezone === "string" ? item.timezone : "UTC";
};

interface OrderedRule {
  readonly id: string;
  readonly order_key: number;
  readonly created_at: string;
  readonly disabled_data: string | null;
}

/** The rules that are asked, in their order. */
const inForce = <R extends OrderedRule>(rules: readonly R[]): readonly R[] =>
  rules.filter(({ disabled_data }) => disabled_data === null).toSorted(byOrder);

const byOrder = (a: OrderedRule, b: OrderedRule): number =>
  a.order_key - b.order_key || (`${a.created_at}#${a.id}` < `${b.created_at}#${b.id}` ? -1 : 1);
