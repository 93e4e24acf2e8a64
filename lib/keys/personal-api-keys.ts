import * as z from "zod";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { keyIn, PARTITIONS, within } from "../table/partitions.ts";

export const PersonalApiKey = z.object({
  id: z.guid(),
  /** `sha256$` and the digest of the value: the value itself is never stored. */
  hash: z.string(),
  mask_value: z.string(),
  label: z.string().min(1).max(40),
  description: z.string().default(""),
  user_id: z.int().positive(),
  scopes: z.array(z.string()),
  /** Project ids and organization ids that the key is restricted to; empty means no restriction. */
  scoped_teams: z.array(z.int()),
  scoped_organizations: z.array(z.guid()),
  created_at: z.string(),
  last_used_at: z.string().nullable().default(null),
  last_rolled_at: z.string().nullable().default(null),
});
export type PersonalApiKey = z.output<typeof PersonalApiKey>;

export const PersonalApiKeys = entity({
  name: "personal-api-key",
  version: 1,
  schema: PersonalApiKey,
  key: within("keys", PARTITIONS.keys.items.key),
  patterns: {
    ofUser: { index: "gsi1", pk: "user#{user_id}#personal-keys", sk: "{created_at}#{id}" },
    byId: { index: "gsi2", pk: "key-id#{id}", sk: "key" },
  },
});

/** Keys that one person may have. */
const MOST_KEYS = 10;

/** The keys of a person. */
export const keysOfPerson = (user: number): BoundedList => ({
  counter: keyIn("personalKeyCount", "count", { user }),
  most: MOST_KEYS,
  full: `You have ${MOST_KEYS} personal API keys, which is as many as one person may have. Delete one first.`,
  recount: (table) => countThrough(table, PersonalApiKeys, "ofUser", { user_id: user }),
});
