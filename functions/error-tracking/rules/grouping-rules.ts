import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { Assignee } from "../../../lib/error-tracking/assignee.ts";
import { type GroupingRule, GroupingRules } from "../../../lib/error-tracking/grouping-rules.ts";
import { text } from "../../../lib/http/fields.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { counterOf } from "../../../lib/table/partitions.ts";
import { list as listAll, require, updating } from "../../../lib/table/store.ts";
import { AssigneeField } from "../assignee-field.ts";
import type { InProject } from "../in-project.ts";
import { checkAssignee } from "../known-assignee.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { shortMicros } from "../timestamps.ts";
import { DisabledData, disabledData, disabledDataListed } from "./disabled-data.ts";
import { type GroupedIssue, issuesOfRules } from "./grouped-issues.ts";
import { inOrder, ORDERS_EXAMPLE, OrdersBody, reorder } from "./reorder.ts";
import { FILTERS_EXAMPLE, FiltersField, filtersText } from "./rule-filters.ts";
import { addRule, changeRule, removeRule } from "./rules.ts";

const MOST_RULES = 300;
const MOST_DESCRIPTION_CHARACTERS = 1_000;

const counted = (project: number) => ({ counter: counterOf("groupingRuleCount", project), most: MOST_RULES });

const RuleForm = z
  .object({
    id: z.guid(),
    filters: z.record(z.string(), z.unknown()),
    assignee: Assignee.nullable(),
    description: z.string().nullable(),
    issue: z.object({ id: z.guid(), name: z.string().nullable() }).nullable(),
    order_key: z.int(),
    disabled_data: DisabledData,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "ErrorTrackingGroupingRule" });

const formOf = (
  { id, filters, assignee, description, order_key, disabled_data, created_at, updated_at }: GroupingRule,
  issues: ReadonlyMap<string, GroupedIssue>,
  shown: typeof disabledData = disabledData,
): z.input<typeof RuleForm> => ({
  id,
  filters: JSON.parse(filters),
  assignee,
  description,
  issue: issues.get(id) ?? null,
  order_key,
  disabled_data: shown(disabled_data),
  created_at: shortMicros(created_at),
  updated_at: shortMicros(updated_at),
});

const rulesOf = (table: Table, project: number): Promise<readonly GroupingRule[]> =>
  listAll(table, GroupingRules, "key", { project }, { consistent: true });

const find = ({ params, grant, world }: InProject) =>
  require(world.table, GroupingRules, { project: grant.project.id, id: params.id.toLowerCase() }, { consistent: true });

const list = route({
  method: "GET",
  path: `${BASE}/grouping_rules/`,
  summary: "List grouping rules",
  description: "In the order in which they are asked.",
  tags: TAGS,
  access: read,
  reply: json(200, z.object({ results: z.array(RuleForm) }).meta({ id: "ErrorTrackingGroupingRuleList" })),
  async handle({ grant, world }) {
    const rules = await rulesOf(world.table, grant.project.id);
    const issues = await issuesOfRules(world.table, grant.project.id, rules);
    return { results: inOrder(rules).map((rule) => formOf(rule, issues, disabledDataListed)) };
  },
});

const create = route({
  method: "POST",
  path: `${BASE}/grouping_rules/`,
  summary: "Create a grouping rule",
  description: "Exceptions whose first match it is become one issue, which its assignee looks after.",
  tags: TAGS,
  access: write,
  body: z
    .object({
      filters: FiltersField,
      assignee: AssigneeField.nullish(),
      description: text({ blank: true, max: MOST_DESCRIPTION_CHARACTERS }).nullish(),
    })
    .meta({ id: "ErrorTrackingGroupingRuleWrite" }),
  examples: { body: { filters: FILTERS_EXAMPLE, assignee: null, description: "Whatever runs out of time" } },
  reply: json(201, RuleForm),
  async handle({ body, grant, world }) {
    const project = grant.project.id;
    const filters = filtersText(body.filters, grant.project.timezone, { needsLeaf: true });
    const { assignee = null, description = null } = body;
    await checkAssignee(world.table, grant.organization.id, assignee);
    const now = isoMicros(world.clock.now());
    const rule: GroupingRule = {
      project,
      id: world.ids.uuid(),
      filters,
      assignee,
      description,
      order_key: 0,
      disabled_data: null,
      created_at: now,
      updated_at: now,
    };
    await addRule(world.table, GroupingRules, rule, counted(project));
    return formOf(rule, new Map());
  },
});

const retrieve = route({
  method: "GET",
  path: `${BASE}/grouping_rules/{id}/`,
  summary: "Retrieve a grouping rule",
  tags: TAGS,
  access: read,
  reply: json(200, RuleForm),
  async handle(place) {
    const rule = await find(place);
    return formOf(rule, await issuesOfRules(place.world.table, rule.project, [rule]));
  },
});

const update = route({
  method: "PATCH",
  path: `${BASE}/grouping_rules/{id}/`,
  summary: "Change what a grouping rule matches",
  description: "Any change, an empty one too, puts a rule back in force that was disabled.",
  tags: TAGS,
  access: write,
  body: z.object({ filters: FiltersField.nullable().exactOptional() }),
  examples: { body: { filters: FILTERS_EXAMPLE } },
  reply: empty(204),
  find,
  async handle({ found: { project, id }, body: { filters }, grant, world }) {
    const written = filters && { filters: filtersText(filters, grant.project.timezone, { needsLeaf: true }) };
    const set = { ...written, disabled_data: null, updated_at: isoMicros(world.clock.now()) };
    await changeRule(world.table, GroupingRules, { project, id }, set);
  },
});

const destroy = route({
  method: "DELETE",
  path: `${BASE}/grouping_rules/{id}/`,
  summary: "Delete a grouping rule",
  description: "Its issue stays.",
  tags: TAGS,
  access: write,
  reply: empty(204),
  find,
  async handle({ found: { project, id }, world }) {
    await removeRule(world.table, GroupingRules, { project, id }, counted(project));
  },
});

const order = route({
  method: "PATCH",
  path: `${BASE}/grouping_rules/reorder/`,
  summary: "Say in which order grouping rules are asked",
  tags: TAGS,
  access: write,
  body: OrdersBody,
  examples: { body: ORDERS_EXAMPLE },
  reply: empty(204),
  errors: [409],
  async handle({ body, grant, world: { table } }) {
    const project = grant.project.id;
    const placing = (id: string, order_key: number) => updating(GroupingRules, { project, id }, { set: { order_key } });
    await reorder(table, body.orders, () => rulesOf(table, project), placing);
  },
});

export const groupingRuleRoutes = [list, create, retrieve, update, destroy, order];
