import * as z from "zod";
import { cache } from "../core/cache.ts";
import type { Table } from "../ports/table.ts";
import type { Project } from "../projects/projects.ts";
import { entity } from "../table/entity.ts";
import { list } from "../table/store.ts";
import type { AlertRule } from "./alert-rules.ts";
import { channelId } from "./alerts/channel.ts";
import { STATE_KEPT_MS } from "./alerts/kept.ts";
import { type CheckedFilters, checkFilters } from "./filters.ts";
import { ALERT_STATE_LAYOUT, FILTERS_PART, RULE_PART } from "./stored/layouts.ts";

/** When a rule last told something, and why its channels could not be told. */
export const AlertStates = entity({
  ...ALERT_STATE_LAYOUT,
  schema: z.object({
    project: z.int(),
    rule_id: z.guid(),
    part: z.string(),
    at: z.int(),
    error: z.string().nullable(),
  }),
  ttl: ({ at }) => Math.ceil((at + STATE_KEPT_MS) / 1_000),
});
export type AlertState = z.output<typeof AlertStates.schema>;

/** How a rule fares. */
export interface AlertRuleState {
  /** Milliseconds since 1970; null for one that has told nothing yet. */
  readonly triggeredAt: number | null;
  /** Why it cannot be asked, or what went wrong last with one of its channels; null while all goes well. */
  readonly error: string | null;
}

/** How the rules of a project fare, or the one with an id: one query. */
export const readAlertStates = async (table: Table, project: Project, id?: string): Promise<(rule: AlertRule) => AlertRuleState> => {
  const values = { project: project.id, ...(id !== undefined && { rule_id: id }) };
  const states = Map.groupBy(await list(table, AlertStates, "key", values, { consistent: true }), ({ rule_id }) => rule_id);
  return (rule) => {
    const own = states.get(rule.id) ?? [];
    const channels = new Set(rule.channels.map(channelId));
    // What became of filters that were changed since is no matter any more.
    const isOfNow = ({ part, at }: AlertState) => channels.has(part) || (part === FILTERS_PART && at >= Date.parse(rule.updated_at));
    const [fault] = own.filter(isOfNow).toSorted((a, b) => b.at - a.at);
    return {
      triggeredAt: own.find(({ part }) => part === RULE_PART)?.at ?? null,
      error: filtersFault(rule, project.timezone) ?? fault?.error ?? null,
    };
  };
};

const MAX_KNOWN = 500;

/** What was found of filters: compiling their regular expressions for each reading of the list would be dear. */
const checked = cache<string, CheckedFilters>({ capacity: MAX_KNOWN });

const filtersFault = ({ filters }: AlertRule, timezone: string): string | undefined => {
  if (filters === null) return undefined;
  const name = `${timezone} ${filters}`;
  const known = checked.get(name) ?? checkFilters(JSON.parse(filters), timezone);
  checked.set(name, known);
  return known.fault?.message;
};
