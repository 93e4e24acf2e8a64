import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import { SEVERITIES } from "../../../lib/error-tracking/issues.ts";
import { type SeverityRule, SeverityRules } from "../../../lib/error-tracking/severity-rules.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { counterOf } from "../../../lib/table/partitions.ts";
import { list as listAll, require, updating } from "../../../lib/table/store.ts";
import type { InProject } from "../in-project.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { shortMicros } from "../timestamps.ts";
import { DisabledData, disabledData, disabledDataListed } from "./disabled-data.ts";
import { inOrder, ORDERS_EXAMPLE, OrdersBody, orderKey, reorder } from "./reorder.ts";
import { FILTERS_EXAMPLE, FiltersField, filtersText } from "./rule-filters.ts";
import { addRule, changeRule, removeRule } from "./rules.ts";

const MOST_RULES = 100;

const counted = (project: number) => ({ counter: counterOf("severityRuleCount", project), most: MOST_RULES });

const RuleForm = z
  .object({
    id: z.guid(),
    filters: z.record(z.string(), z.unknown()),
    severity: z.enum(SEVERITIES),
    order_key: z.int(),
    disabled_data: DisabledData,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "ErrorTrackingSeverityRule" });

const formOf = (
  { id, filters, severity, order_key, disabled_data, created_at, updated_at }: SeverityRule,
  shown: typeof disabledData = disabledData,
): z.input<typeof RuleForm> => ({
  id,
  filters: JSON.parse(filters),
  severity,
  order_key,
  disabled_data: shown(disabled_data),
  created_at: shortMicros(created_at),
  updated_at: shortMicros(updated_at),
});

const rulesOf = (table: Table, project: number): Promise<readonly SeverityRule[]> =>
  listAll(table, SeverityRules, "key", { project }, { consistent: true });

const find = ({ params, grant, world }: InProject) =>
  require(world.table, SeverityRules, { project: grant.project.id, id: params.id.toLowerCase() }, { consistent: true });

const list = route({
  method: "GET",
  path: `${BASE}/severity_rules/`,
  summary: "List severity rules",
  description: "In the order in which they are asked.",
  tags: TAGS,
  access: read,
  reply: json(200, z.object({ results: z.array(RuleForm) }).meta({ id: "ErrorTrackingSeverityRuleList" })),
  async handle({ grant, world }) {
    const rules = await rulesOf(world.table, grant.project.id);
    return { results: inOrder(rules).map((rule) => formOf(rule, disabledDataListed)) };
  },
});

const create = route({
  method: "POST",
  path: `${BASE}/severity_rules/`,
  summary: "Create a severity rule",
  description: "A new issue is as severe as the first rule says that its first exception fulfils.",
  tags: TAGS,
  access: write,
  body: z
    .object({ filters: FiltersField, severity: z.enum(SEVERITIES), order_key: orderKey().default(0) })
    .meta({ id: "ErrorTrackingSeverityRuleWrite" }),
  examples: { body: { filters: FILTERS_EXAMPLE, severity: "high", order_key: 0 } },
  reply: json(201, RuleForm),
  async handle({ body, grant, world }) {
    const project = grant.project.id;
    const filters = filtersText(body.filters, grant.project.timezone, { needsLeaf: false });
    const now = isoMicros(world.clock.now());
    const { severity, order_key } = body;
    const rule = { project, id: world.ids.uuid(), filters, severity, order_key, disabled_data: null, created_at: now, updated_at: now };
    await addRule(world.table, SeverityRules, rule, counted(project));
    return formOf(rule);
  },
});

const retrieve = route({
  method: "GET",
  path: `${BASE}/severity_rules/{id}/`,
  summary: "Retrieve a severity rule",
  tags: TAGS,
  access: read,
  reply: json(200, RuleForm),
  handle: async (place) => formOf(await find(place)),
});

const updates = (["PATCH", "PUT"] as const).map((method) =>
  route({
    method,
    path: `${BASE}/severity_rules/{id}/`,
    summary: method === "PATCH" ? "Update a severity rule" : "Update a severity rule (as PATCH)",
    description: "New filters put a rule back in force that was disabled.",
    tags: TAGS,
    access: write,
    body: z.object({ filters: FiltersField.exactOptional(), severity: z.enum(SEVERITIES).exactOptional() }),
    examples: { body: { severity: "low" } },
    reply: empty(204),
    find,
    async handle({ found, body, grant, world }) {
      const { filters, severity } = body;
      const written = filters && { filters: filtersText(filters, grant.project.timezone, { needsLeaf: false }), disabled_data: null };
      const set = { ...written, ...(severity && { severity }), updated_at: isoMicros(world.clock.now()) };
      await changeRule(world.table, SeverityRules, { project: found.project, id: found.id }, set);
    },
  }),
);

const destroy = route({
  method: "DELETE",
  path: `${BASE}/severity_rules/{id}/`,
  summary: "Delete a severity rule",
  description: "Issues keep the severity that it gave them.",
  tags: TAGS,
  access: write,
  reply: empty(204),
  find,
  async handle({ found: { project, id }, world }) {
    await removeRule(world.table, SeverityRules, { project, id }, counted(project));
  },
});

const order = route({
  method: "PATCH",
  path: `${BASE}/severity_rules/reorder/`,
  summary: "Say in which order severity rules are asked",
  tags: TAGS,
  access: write,
  body: OrdersBody,
  examples: { body: ORDERS_EXAMPLE },
  reply: empty(204),
  errors: [409],
  async handle({ body, grant, world: { table } }) {
    const project = grant.project.id;
    const placing = (id: string, order_key: number) => updating(SeverityRules, { project, id }, { set: { order_key } });
    await reorder(table, body.orders, () => rulesOf(table, project), placing);
  },
});

export const severityRuleRoutes = [list, create, retrieve, ...updates, destroy, order];
