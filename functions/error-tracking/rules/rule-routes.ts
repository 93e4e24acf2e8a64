import * as z from "zod";
import { type Route, route } from "../../../lib/app/routes.ts";
import { isoMicros } from "../../../lib/core/time.ts";
import type { AnyRule, RuleKind, StoredRules } from "../../../lib/error-tracking/rules.ts";
import type { Fields } from "../../../lib/event/fields.ts";
import { boolean, integer } from "../../../lib/http/fields.ts";
import { empty, json } from "../../../lib/http/reply.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { BASE, type InProject, read, TAGS, write } from "../place.ts";
import { FILTERS_EXAMPLE, type FiltersField, filtersText } from "./rule-filters.ts";
import { type RuleKindForms, ruleForms } from "./rule-form.ts";
import { addRule, changeRule, findRule, listRules, removeRule, reorderRules } from "./stored-rules.ts";

/** The fields that only rules of a kind have. */
type Own<K extends RuleKind> = Omit<StoredRules[K], keyof AnyRule>;

/** The organization that a rule is made in. */
interface RulePlace {
  readonly table: Table;
  readonly organization: string;
}

/** How rules of one kind are read and written by clients. */
export interface RuleKindRoutes<K extends RuleKind = RuleKind> extends RuleKindForms {
  readonly kind: K;
  /** One of them, with its article. */
  readonly one: string;
  /** Whether a rule that everything matches is refused. */
  readonly needsCondition: boolean;

  readonly create: {
    readonly description: string;
    readonly body: z.ZodObject<{ filters: typeof FiltersField; enabled: ReturnType<typeof enabledField> }>;
    readonly example: Fields;
    /** The fields of its own that a body says, and its place; throws 400 for what cannot be. */
    rule(sent: object, place: RulePlace): Promise<Own<K> & { readonly order_key?: number }>;
  };
  readonly update: {
    readonly methods: readonly ("PATCH" | "PUT")[];
    readonly summary: string;
    readonly description: string;
    readonly body: z.ZodObject<{ filters: z.ZodType<Fields | null | undefined>; enabled: ReturnType<typeof enabledField> }>;
    readonly example: Fields;
    /** The fields of its own that a body changes; throws 400 for what cannot be. */
    changes(sent: object, place: RulePlace): Promise<Partial<Own<K>>>;
    /** Which changes put a rule back in force that failed; switching it on always does. */
    readonly enabledBy: "any change" | "new filters";
  };
  readonly destroy: { readonly description: string };
}

const LEAST_INTEGER = -2_147_483_648;
const MOST_INTEGER = 2_147_483_647;

/** A place in the order in which rules are asked. */
export const orderKey = () => integer({ min: LEAST_INTEGER, max: MOST_INTEGER });

/** Whether a rule is asked at all, as its maker wants it. */
export const enabledField = () => boolean().optional();

const OrdersBody = z.object({ orders: z.record(z.string(), orderKey()) }).meta({ id: "ErrorTrackingRuleOrders" });

/** The operations on rules of one kind. */
export const ruleRoutes = (of: RuleKindRoutes): readonly Route[] => {
  const { kind, one } = of;
  const wanted = { needsCondition: of.needsCondition };
  const { Form, List, listed, form } = ruleForms(of);
  const find = ({ params, grant, world }: InProject) => findRule(world.table, kind, grant.project.id, params.id);

  const list = route({
    method: "GET",
    path: `${BASE}/${kind}_rules/`,
    summary: `List ${kind} rules`,
    description: "In the order in which they are asked.",
    tags: TAGS,
    access: read,
    reply: json(200, List),
    async handle({ grant, world: { table } }) {
      const { id } = grant.project;
      return { results: await listed(table, id, await listRules(table, kind, id)) };
    },
  });

  const create = route({
    method: "POST",
    path: `${BASE}/${kind}_rules/`,
    summary: `Create ${one}`,
    description: of.create.description,
    tags: TAGS,
    access: write,
    body: of.create.body,
    examples: { body: { filters: FILTERS_EXAMPLE, ...of.create.example } },
    reply: json(201, Form),
    async handle({ body, grant: { project, organization }, world: { table, clock, ids } }) {
      const filters = filtersText(body.filters, project.timezone, wanted);
      const own = await of.create.rule(body, { table, organization: organization.id });
      const now = isoMicros(clock.now());
      const dates = { created_at: now, updated_at: now };
      const state = { disabled_data: null, enabled: body.enabled ?? true };
      const rule = { project: project.id, id: ids.uuid(), filters, order_key: 0, ...own, ...state, ...dates };
      await addRule({ table, clock }, kind, rule);
      return form(table, rule, { isNew: true });
    },
  });

  const retrieve = route({
    method: "GET",
    path: `${BASE}/${kind}_rules/{id}/`,
    summary: `Retrieve ${one}`,
    tags: TAGS,
    access: read,
    reply: json(200, Form),
    handle: async (place) => form(place.world.table, await find(place)),
  });

  const updates = of.update.methods.map((method) =>
    route({
      method,
      path: `${BASE}/${kind}_rules/{id}/`,
      summary: method === "PATCH" ? of.update.summary : `${of.update.summary} (as PATCH)`,
      description: of.update.description,
      tags: TAGS,
      access: write,
      body: of.update.body,
      examples: { body: of.update.example },
      reply: empty(204),
      find,
      async handle({ found, body, grant, world: { table, clock } }) {
        const written = body.filters && { filters: filtersText(body.filters, grant.project.timezone, wanted) };
        const own = await of.update.changes(body, { table, organization: grant.organization.id });
        const { enabled } = body;
        const isEnabled = written || enabled || of.update.enabledBy === "any change";
        const switched = enabled !== undefined && { enabled };
        const changes = { ...written, ...(isEnabled && { disabled_data: null }), ...switched, ...own };
        await changeRule(table, kind, found, { ...changes, updated_at: isoMicros(clock.now()) });
      },
    }),
  );

  const destroy = route({
    method: "DELETE",
    path: `${BASE}/${kind}_rules/{id}/`,
    summary: `Delete ${one}`,
    description: of.destroy.description,
    tags: TAGS,
    access: write,
    reply: empty(204),
    find,
    async handle({ found, world }) {
      await removeRule(world, kind, found);
    },
  });

  const order = route({
    method: "PATCH",
    path: `${BASE}/${kind}_rules/reorder/`,
    summary: `Say in which order ${kind} rules are asked`,
    tags: TAGS,
    access: write,
    body: OrdersBody,
    examples: { body: ORDERS_EXAMPLE },
    reply: empty(204),
    errors: [409],
    async handle({ body, grant, world }) {
      await reorderRules(world.table, kind, grant.project.id, body.orders);
    },
  });

  return [list, create, retrieve, ...updates, destroy, order];
};

const ORDERS_EXAMPLE = { orders: { "0190d0aa-0000-7000-8000-000000000001": 1, "0190d0aa-0000-7000-8000-000000000002": 2 } };
