import * as z from "zod";
import { type Entity, entity } from "../table/entity.ts";
import { Assignee } from "./issues.ts";
import { SEVERITIES } from "./severities.ts";
import { ruleLayout } from "./stored/layouts.ts";

const BEFORE = {
  project: z.int(),
  id: z.guid(),
  /** JSON text of the property group as sent. */
  filters: z.string(),
};
const AFTER = {
  /** The least is asked first, then the oldest rule. */
  order_key: z.int(),
  /** JSON text of why and on what it failed; null while it is in force. */
  disabled_data: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
};

/** Rules of one kind: all that rules have, and the fields that only this kind's have. */
const ruleEntity = <const K extends string, O extends z.ZodRawShape>(kind: K, own: O) =>
  entity({ ...ruleLayout(kind), schema: z.object({ ...BEFORE, ...own, ...AFTER }) });

/** Give all exceptions that they match the fingerprint `custom-rule:<id>`. */
export const GroupingRules = ruleEntity("grouping", { assignee: Assignee.nullable(), description: z.string().nullable() });

/** Say how severe a new issue is. */
export const SeverityRules = ruleEntity("severity", { severity: z.enum(SEVERITIES) });

/** The kinds of rules. Whatever has to consider a new one does not compile until it does. */
export const RULES = { grouping: GroupingRules, severity: SeverityRules };
export type RuleKind = keyof typeof RULES;
export type StoredRules = { readonly [K in RuleKind]: z.output<(typeof RULES)[K]["schema"]> };

type RuleSchema = z.ZodObject<typeof BEFORE & typeof AFTER>;
/** What rules of all kinds have. */
export type AnyRule = z.output<RuleSchema>;

/** The rules of a kind, typed as far as all kinds are alike; the fields of its own are read and written with them. */
export const anyRules = (kind: RuleKind): Entity<RuleSchema, ReturnType<typeof ruleLayout<RuleKind>>["key"], Record<never, never>> => {
  const { name, version, schema, key, patterns } = RULES[kind];
  return { name, version, schema, key, patterns };
};
