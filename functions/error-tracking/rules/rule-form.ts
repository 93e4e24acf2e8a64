import * as z from "zod";
import type { AnyRule, RuleKind } from "../../../lib/error-tracking/rules.ts";
import { type Fields, isFields } from "../../../lib/event/fields.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { shortMicros } from "../timestamps.ts";

/** How rules of one kind are shown. */
export interface RuleKindForms {
  readonly kind: RuleKind;
  /** The fields of its own as they are shown. */
  readonly shown: z.ZodRawShape;
  /** The shown fields that are not stored with a rule, by its id. */
  extraFields?(table: Table, project: number, rules: readonly AnyRule[]): Promise<(id: string) => Fields>;
}

/** Why a rule is out of force: the message, and the part of the event that it failed on, if it failed. */
const DisabledData = z.record(z.string(), z.unknown()).nullable().meta({ id: "ErrorTrackingRuleDisabled" });

/** The forms of rules of one kind, alone and in a list. */
export const ruleForms = (of: RuleKindForms) => {
  const name = `ErrorTracking${of.kind.charAt(0).toUpperCase()}${of.kind.slice(1)}Rule`;
  const Form = z
    .object({
      id: z.guid(),
      filters: z.record(z.string(), z.unknown()),
      ...of.shown,
      order_key: z.int(),
      disabled_data: DisabledData,
      created_at: z.string(),
      updated_at: z.string(),
    })
    .meta({ id: name });
  const List = z.object({ results: z.array(Form) }).meta({ id: `${name}List` });

  const extraFields = of.extraFields ?? (async () => () => ({}));
  const shown = (rule: AnyRule, extra: Fields, disabled_data: Fields | null): z.input<typeof Form> => {
    const state = { disabled_data, enabled: rule.enabled !== false };
    const dates = { created_at: shortMicros(rule.created_at), updated_at: shortMicros(rule.updated_at) };
    return { ...rule, ...extra, filters: JSON.parse(rule.filters), ...state, ...dates };
  };

  return {
    Form,
    List,
    /** A rule by itself; of one that was made just now nothing is stored beside it. */
    async form(table: Table, rule: AnyRule, { isNew = false } = {}) {
      const extra = await extraFields(table, rule.project, isNew ? [] : [rule]);
      return shown(rule, extra(rule.id), disabledData(rule, of));
    },
    async listed(table: Table, project: number, rules: readonly AnyRule[]) {
      const extra = await extraFields(table, project, rules);
      return rules.map((rule) => shown(rule, extra(rule.id), disabledDataListed(rule, of)));
    },
  };
};

const SWITCHED_OFF = { message: "The rule is switched off. Send `enabled: true` to switch it on." };

/** Why a rule is out of force. One that is switched off says so here, unless rules of its kind show that by themselves. */
const disabledData = ({ disabled_data, enabled }: AnyRule, { shown }: RuleKindForms): Fields | null => {
  const data: unknown = disabled_data === null ? null : JSON.parse(disabled_data);
  if (isFields(data)) return data;
  return enabled === false && !("enabled" in shown) ? SWITCHED_OFF : null;
};

/** Characters of it that each rule of a list may show: a list shows all rules at once. */
const MOST_LISTED = 4_000;

/** The same, without the event's properties where they are long. */
const disabledDataListed = (rule: AnyRule, of: RuleKindForms): Fields | null => {
  const data = disabledData(rule, of);
  if (data === null || (rule.disabled_data ?? "").length <= MOST_LISTED) return data;
  return { ...data, ...("props" in data && { props: {} }), ...("properties" in data && { properties: {} }) };
};
