import * as z from "zod";
import { group, route } from "../../lib/app/routes.ts";
import { accountKey } from "../../lib/auth/account-access.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { json, jsonOfEither } from "../../lib/http/reply.ts";
import { createAccount, findAccount } from "./accounts.ts";
import { AccountChange, AccountValues, changeAccount, NewAccount, setValues, ValuesSet } from "./change.ts";
import { ListQuery, listParameters } from "./parameters.ts";
import { listAccounts, shownAccount } from "./shown-accounts.ts";
import { ExternalAccount, ExternalAccountRow } from "./wire.ts";

const TAGS = ["Customer analytics"];
const ONE = "/api/customer_analytics/external/account/";

const Refused = z.object({ error: z.string() }).meta({ id: "ExternalAccountError" });

const errorResponses = (...statuses: readonly number[]) =>
  [401, 403, ...statuses].map((status) => ({ status, description: "What is wrong, as one sentence.", body: Refused }));

const shared = { tags: TAGS, throttle: "account" } as const;
const writing = accountKey("account:write", { teamTokens: true });

const retrieve = route({
  ...shared,
  method: "GET",
  path: ONE,
  summary: "One account by its external id",
  description: "With tags, the relationships that are active, and a value, or null, for each custom property of the project.",
  access: accountKey("account:read", { teamTokens: true }),
  query: z.object({ external_id: z.string().optional().meta({ description: "The key of the group that the account is." }) }),
  reply: json(200, ExternalAccount),
  errors: errorResponses(400, 404),
  async handle({ query, grant, world }) {
    const { account } = await findAccount(world.table, grant.project.id, query.external_id ?? "");
    return shownAccount(world.table, account);
  },
});

const create = route({
  ...shared,
  method: "POST",
  path: ONE,
  summary: "Make an account of an external id, unless there is one",
  description: "201 when it was made, 200 when it was there already.",
  access: writing,
  body: NewAccount,
  examples: { body: { external_id: "acme-1" } },
  bodyErrors: "plain",
  reply: jsonOfEither(201, { status: 200, description: "There was one." }, ExternalAccount),
  errors: errorResponses(400, 409),
  async handle({ body, grant, world }) {
    const { account, created } = await createAccount(world, grant.project.id, body.external_id);
    return { status: created ? 201 : 200, body: await shownAccount(world.table, account) };
  },
});

const change = route({
  ...shared,
  method: "PATCH",
  path: ONE,
  summary: "Change an account's relationships, tags and end",
  description: "All of it or nothing.",
  access: writing,
  body: AccountChange,
  examples: {
    body: {
      external_id: "acme-1",
      tags: ["enterprise"],
      tags_mode: "add",
      relationships: { "0190d0aa-0000-7000-8000-000000000001": { type: "user", id: 1 } },
    },
  },
  bodyErrors: "plain",
  reply: json(200, ExternalAccount),
  errors: errorResponses(400, 404, 409),
  async handle({ body, grant, world }) {
    return shownAccount(world.table, await changeAccount(world.table, grant.project, body));
  },
});

const values = route({
  ...shared,
  method: "PATCH",
  path: "/api/customer_analytics/external/account/custom_property_values/",
  summary: "Set an account's custom properties",
  description: "By the ids of their definitions; null takes a value away. All of it or nothing.",
  access: writing,
  body: AccountValues,
  examples: { body: { external_id: "acme-1", properties: { "0190d0aa-0000-7000-8000-000000000001": "big" } } },
  bodyErrors: "plain",
  reply: json(200, ValuesSet),
  errors: errorResponses(400, 404, 409),
  handle: ({ body, grant, world }) => setValues(world.table, grant.project.id, body),
});

const list = route({
  ...shared,
  method: "GET",
  path: "/api/customer_analytics/external/accounts/",
  summary: "The accounts of a project",
  description: "In the order of their ids, with the relationships to current members of the organization.",
  access: accountKey("account:read", { together: true, refusal: "Missing or invalid API key" }),
  query: ListQuery,
  reply: json(
    200,
    z.object({ results: z.array(ExternalAccountRow), next_cursor: z.guid().nullable() }).meta({ id: "ExternalAccountListPage" }),
  ),
  errors: [
    ...errorResponses(),
    {
      status: 400,
      description: "What is wrong with each parameter.",
      body: z.object({ error: z.record(z.string(), z.array(z.string())) }).meta({ id: "ExternalAccountListValidationError" }),
    },
  ],
  handle: ({ query, grant, world }) => listAccounts(world.table, grant.project, listParameters(query)),
});

export const customerAnalytics = group({
  name: "customer-analytics",
  gateway: "management",
  uses: {
    table: { read: [...CALLER_PARTITIONS.read, "accounts", "accountIds"], write: [...CALLER_PARTITIONS.write, "accounts", "accountIds"] },
  },
  routes: [retrieve, create, change, values, list],
});
