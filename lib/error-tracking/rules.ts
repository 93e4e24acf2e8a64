import * as z from "zod";
import type { Table } from "../ports/table.ts";
import { type Entity, entity } from "../table/entity.ts";
import { getMany } from "../table/store.ts";
import { Fingerprints } from "./fingerprints.ts";
import { customFingerprint } from "./grouping/fingerprint.ts";
import { Assignee, type Issue } from "./issues.ts";
import { readLiveIssues } from "./live-issues.ts";
import { SEVERITIES } from "./severities.ts";
import { ruleLayout } from "./stored/layouts.ts";

/** The fields that rules of all kinds have: those before the ones of its own, and those after. */
const BEFORE = {
  project: z.int(),
  id: z.guid(),
  /** JSON text of the property group as sent. */
  filters: z.string(),
};
const AFTER = {
  /** The least is asked first, then the oldest rule. */
  order_key: z.int(),
  /** JSON text of why and on what it failed; null where it did not. */
  disabled_data: z.string().nullable(),
  /** False where its maker switched it off. */
  enabled: z.boolean().optional(),
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

/** Say who looks after an issue that nobody looks after yet, when it is made and when it is opened again. */
export const AssignmentRules = ruleEntity("assignment", { assignee: Assignee });

/** The kinds of rules. Whatever has to consider a new one does not compile until it does. */
export const RULES = { grouping: GroupingRules, severity: SeverityRules, assignment: AssignmentRules };
export type RuleKind = keyof typeof RULES;

export type StoredRules = { readonly [K in RuleKind]: z.output<(typeof RULES)[K]["schema"]> };

type RuleSchema = z.ZodObject<typeof BEFORE & typeof AFTER>;
/** The fields that rules of all kinds have. */
export type AnyRule = z.output<RuleSchema>;

/** The rules of a kind, typed as far as all kinds are alike; the fields of its own are read and written with them. */
export const anyRules = (kind: RuleKind): Entity<RuleSchema, ReturnType<typeof ruleLayout<RuleKind>>["key"], Record<never, never>> => {
  const { name, version, schema, key, patterns } = RULES[kind];
  return { name, version, schema, key, patterns };
};

/** The issues that grouping rules have made, by the rule's id. Merging may have brought several rules to one issue. */
export const groupedIssues = async (table: Table, project: number, rules: readonly AnyRule[]): Promise<ReadonlyMap<string, Issue>> => {
  const byFingerprint = new Map(rules.map(({ id }) => [customFingerprint(id).value, id]));
  const keys = [...byFingerprint.keys()].map((fingerprint) => ({ project, fingerprint }));
  const fingerprints = keys.length === 0 ? [] : await getMany(table, Fingerprints, keys);
  const ids = fingerprints.map(({ issue_id }) => issue_id);
  const issues = await readLiveIssues(table, project, ids);
  const found = new Map<string, Issue>();
  for (const { fingerprint, issue_id } of fingerprints) {
    const [rule, issue] = [byFingerprint.get(fingerprint), issues.get(issue_id)];
    if (rule !== undefined && issue !== undefined) found.set(rule, issue);
  }
  return found;
};
