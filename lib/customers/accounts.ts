import * as z from "zod";
import { entity } from "../table/entity.ts";
import { ACCOUNT_LAYOUT } from "./group-accounts.ts";

/** The longest external id, which is a group key. */
export const EXTERNAL_ID_CHARACTERS = 400;

export const Account = z.object({
  /** Time bits first; lists are in the order of ids. */
  id: z.guid(),
  project_id: z.int().positive(),
  /** Unique in the project. */
  external_id: z.string().min(1).max(EXTERNAL_ID_CHARACTERS),
  name: z.string(),
  /** When the event that named it last was sent, milliseconds since 1970; absent where an operator or a client named it. */
  named_at: z.number().optional(),
  properties: z.record(z.string(), z.json()),
  tags: z.array(z.string()),
  /** Id of a relationship definition → users assigned now. */
  relationships: z.record(z.string(), z.array(z.int().positive())),
  /** Id of a property definition → value. */
  custom_properties: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  ignored_at: z.string().nullable().default(null),
  churned_at: z.string().nullable().default(null),
  created_at: z.string(),
});
export type Account = z.output<typeof Account>;

export const Accounts = entity({
  ...ACCOUNT_LAYOUT,
  schema: Account,
});
