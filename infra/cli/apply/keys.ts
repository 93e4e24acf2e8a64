import { newSecret } from "../../../lib/keys/credential.ts";
import { keysOfPerson, type PersonalApiKey, PersonalApiKeys } from "../../../lib/keys/personal-api-keys.ts";
import { type ProjectSecretKey, ProjectSecretKeys, secretKeysOfProject } from "../../../lib/keys/project-secret-keys.ts";
import type { Key, Write } from "../../../lib/ports/table.ts";
import { type BoundedList, countingIn } from "../../../lib/table/bounded-list.ts";
import * as store from "../../../lib/table/store.ts";
import { ABSENT } from "../../../lib/table/transact.ts";
import { once, readHolder } from "./once.ts";
import { isoNow, type Parts } from "./parts.ts";
import { differing } from "./same.ts";

/** A key as the answer shows it: its value only from the call that made it. */
export interface AppliedKey {
  readonly id: string;
  readonly value: string | null;
}

/** The personal key under this marker, made or brought up to date. One that was revoked is made anew. */
export const ensurePersonalKey = (
  parts: Parts,
  marker: Key,
  wanted: Pick<PersonalApiKey, "label" | "user_id"> & Partial<Pick<PersonalApiKey, "scopes" | "scoped_teams" | "scoped_organizations">>,
): Promise<AppliedKey> =>
  ensureKey(parts, marker, "personal", {
    read: (hash) => store.get(parts.table, PersonalApiKeys, { hash }, { consistent: true }),
    rolled: () => store.list(parts.table, PersonalApiKeys, "ofUser", { user_id: wanted.user_id }),
    label: wanted.label,
    counted: keysOfPerson(wanted.user_id),
    make: (fresh) =>
      store.putting(
        PersonalApiKeys,
        PersonalApiKeys.schema.parse({ scopes: [], scoped_teams: [], scoped_organizations: [], ...wanted, ...fresh }),
        ABSENT,
      ),
    async revise(key) {
      const changes = differing<PersonalApiKey>(key, wanted);
      if (changes) await store.update(parts.table, PersonalApiKeys, { hash: key.hash }, { set: changes });
    },
  });

/** The secret key under this marker, made or brought up to date. One that was revoked is made anew. */
export const ensureSecretKey = (
  parts: Parts,
  marker: Key,
  wanted: Pick<ProjectSecretKey, "label" | "project_id" | "organization_id"> & Partial<Pick<ProjectSecretKey, "scopes">>,
): Promise<AppliedKey> =>
  ensureKey(parts, marker, "secret", {
    read: (hash) => store.get(parts.table, ProjectSecretKeys, { hash }, { consistent: true }),
    rolled: () => store.list(parts.table, ProjectSecretKeys, "ofProject", { project_id: wanted.project_id, label: wanted.label }),
    label: wanted.label,
    counted: secretKeysOfProject(wanted.project_id),
    make: (fresh) => store.putting(ProjectSecretKeys, ProjectSecretKeys.schema.parse({ scopes: [], ...wanted, ...fresh }), ABSENT),
    async revise(key) {
      const changes = differing<ProjectSecretKey>(key, wanted);
      if (changes) await store.update(parts.table, ProjectSecretKeys, { hash: key.hash }, { set: changes });
    },
  });

interface Fresh {
  readonly id: string;
  readonly hash: string;
  readonly mask_value: string;
  readonly created_at: string;
}

const rolledKey = async <T extends { readonly label: string; readonly last_rolled_at: string | null }>(verbs: {
  readonly rolled: () => Promise<readonly T[]>;
  readonly label: string;
}): Promise<T | undefined> => (await verbs.rolled()).find(({ label, last_rolled_at }) => label === verbs.label && last_rolled_at !== null);

const ensureKey = async <T extends { readonly id: string; readonly label: string; readonly last_rolled_at: string | null }>(
  parts: Parts,
  marker: Key,
  kind: "personal" | "secret",
  verbs: {
    readonly read: (hash: string) => Promise<T | undefined>;
    /** Keys of the same owner: one that was given another value lies under that. */
    readonly rolled: () => Promise<readonly T[]>;
    readonly label: string;
    /** All keys of the owner, however many the operator makes. */
    readonly counted: BoundedList;
    readonly make: (fresh: Fresh) => Write;
    readonly revise: (key: T) => Promise<void>;
  },
): Promise<AppliedKey> => {
  const holder = await readHolder(parts.table, marker);
  const existing = holder === undefined ? undefined : ((await verbs.read(holder)) ?? (await rolledKey(verbs)));
  if (existing) {
    await verbs.revise(existing);
    return { id: existing.id, value: null };
  }
  const { value, hash, mask_value } = newSecret(kind, parts.ids);
  const fresh = { id: parts.ids.uuid(), hash, mask_value, created_at: isoNow(parts) };
  const { owner, created } = await once(
    parts.table,
    marker,
    fresh.hash,
    [verbs.make(fresh), await countingIn(parts, verbs.counted, 1)],
    holder,
  );
  if (created) return { id: fresh.id, value };
  const other = await verbs.read(owner);
  return { id: other?.id ?? fresh.id, value: null };
};
