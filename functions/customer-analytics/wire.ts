import * as z from "zod";
import { isoBrief, withOffset } from "../../lib/core/time.ts";
import type { CustomPropertyDefinition } from "../../lib/customers/account-definitions.ts";
import type { Account } from "../../lib/customers/accounts.ts";
import type { User } from "../../lib/organizations/users.ts";
import type { Definitions } from "./definitions.ts";

const Stamp = z.string().nullable();

/** One account with everything that is known of it. */
export const ExternalAccount = z
  .object({
    id: z.guid(),
    external_id: z.string(),
    name: z.string(),
    churned_at: Stamp,
    ignored_at: Stamp,
    properties: z.record(z.string(), z.json()),
    tags: z.array(z.string()),
    relationships: z.record(z.string(), z.array(z.object({ user_id: z.int(), email: z.string() }))),
    custom_properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()),
  })
  .meta({ id: "ExternalAccount" });

/** One account of a list. */
export const ExternalAccountRow = z
  .object({
    external_id: z.string(),
    name: z.string(),
    churned_at: Stamp,
    ignored_at: Stamp,
    relationships: z.record(z.string(), z.array(z.object({ user_id: z.int(), email: z.string(), name: z.string().nullable() }))),
  })
  .meta({ id: "ExternalAccountRow" });

/** The properties that every account has, set or not. */
const PROPERTIES = {
  stripe_customer_id: null,
  hubspot_deal_id: null,
  billing_id: null,
  sfdc_id: null,
  zendesk_id: null,
  slack_channel_id: null,
  usage_dashboard_link: null,
} as const;

/** Users by id. */
export type Users = ReadonlyMap<number, User>;

/** `assigned`: those of the account's users that exist. */
export const accountForm = (account: Account, definitions: Definitions, assigned: Users): z.input<typeof ExternalAccount> => ({
  ...account,
  ...lifecycle(account),
  properties: { ...PROPERTIES, ...account.properties },
  tags: account.tags.toSorted(),
  relationships: namedRelationships(account, definitions, assigned, ({ id, email }) => ({ user_id: id, email })),
  custom_properties: Object.fromEntries(definitions.properties.map((definition) => [definition.name, customValue(account, definition)])),
});

/** What an account has of a custom property, as sent. */
export const customValue = (
  { custom_properties }: Account,
  { id, type }: Pick<CustomPropertyDefinition, "id" | "type">,
): string | number | boolean | null => {
  const value = custom_properties[id] ?? null;
  return type === "datetime" && typeof value === "string" ? offsetStamp(value) : value;
};

/** `members`: those of the account's users who are members of the project's organization now. */
export const accountRow = (account: Account, definitions: Definitions, members: Users): z.input<typeof ExternalAccountRow> => ({
  ...account,
  ...lifecycle(account),
  relationships: namedRelationships(account, definitions, members, (user) => ({
    user_id: user.id,
    email: user.email,
    name: `${user.first_name} ${user.last_name}`.trim() || null,
  })),
});

const lifecycle = ({ churned_at, ignored_at }: Account) => ({
  churned_at: churned_at === null ? null : isoBrief(churned_at),
  ignored_at: ignored_at === null ? null : isoBrief(ignored_at),
});

/** By the name of the definition; those without anybody are left out. */
const namedRelationships = <T>(
  account: Account,
  { relationships }: Definitions,
  users: Users,
  shown: (user: User) => T,
): Record<string, T[]> =>
  Object.fromEntries(
    relationships.flatMap(({ id, name }) => {
      const assigned = (account.relationships[id] ?? []).flatMap((user) => users.get(user) ?? []);
      const sorted = assigned.toSorted((a, b) => (a.email < b.email ? -1 : 1));
      return sorted.length === 0 ? [] : [[name, sorted.map(shown)]];
    }),
  );

/** An operator's text that is no date stays as it is. */
const offsetStamp = (value: string): string => (Number.isNaN(Date.parse(value)) ? value : withOffset(isoBrief(value)));
