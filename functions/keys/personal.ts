import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import type { PersonalGrant } from "../../lib/auth/access.ts";
import { forgetCallers, type PersonalCaller } from "../../lib/auth/callers.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { integer, text, uuid } from "../../lib/http/fields.ts";
import { newSecret } from "../../lib/keys/credential.ts";
import { keysOfPerson, type PersonalApiKey, PersonalApiKeys } from "../../lib/keys/personal-api-keys.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import type { Table } from "../../lib/ports/table.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { addToList, takeFromList } from "../../lib/table/bounded-list.ts";
import { untilListed } from "../../lib/table/paging.ts";
import { getMany, list, putting, removing } from "../../lib/table/store.ts";
import { ABSENT, transact } from "../../lib/table/transact.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import { keyTimes } from "./key-times.ts";
import { checkPowers, isScope } from "./powers.ts";

const LABEL_CHARACTERS = 40;
const DESCRIPTION_CHARACTERS = 1_000;
const MOST_RESTRICTIONS = 100;

export const NewPersonalKey = z
  .object({
    label: text({ max: LABEL_CHARACTERS }),
    description: text({ max: DESCRIPTION_CHARACTERS, blank: true }).optional(),
    scopes: z.array(z.string()).max(MOST_RESTRICTIONS),
    scoped_teams: z
      .array(integer({ min: 1 }))
      .max(MOST_RESTRICTIONS)
      .nullable(),
    scoped_organizations: z.array(uuid()).max(MOST_RESTRICTIONS).nullable(),
  })
  .meta({ id: "PersonalApiKeyWrite" });

export const PersonalKeyForm = z
  .object({
    id: z.guid(),
    label: z.string(),
    description: z.string(),
    value: z.string().nullable(),
    mask_value: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    last_rolled_at: z.string().nullable(),
    user_id: z.int(),
    is_legacy_hashing: z.literal(false),
    scopes: z.array(z.string()),
    scoped_teams: z.array(z.int()),
    scoped_organizations: z.array(z.guid()),
    local_dev_value: z.null(),
  })
  .meta({ id: "PersonalApiKey" });

type Form = z.input<typeof PersonalKeyForm>;

/** A key as it is shown; its value only where it was just made. */
export const keyForm = (key: PersonalApiKey, value: string | null): Form => ({
  ...key,
  ...keyTimes(key),
  value,
  is_legacy_hashing: false,
  local_dev_value: null,
});

export const listPersonalKeys = async (table: Table, { caller }: PersonalGrant): Promise<Form[]> =>
  (await userKeys(table, caller)).map((key) => keyForm(key, null));

export const createPersonalKey = async (
  world: Pick<World, "table" | "ids" | "clock">,
  { caller }: PersonalGrant,
  body: z.output<typeof NewPersonalKey>,
): Promise<Form> => {
  const { table, ids, clock } = world;
  if (body.scopes.length === 0) throw invalid("scopes", "A key without scopes opens nothing: name at least one.", "empty");
  const unknown = body.scopes.find((scope) => scope !== "*" && !isScope(scope));
  if (unknown !== undefined) throw invalid("scopes", `There is no scope ${JSON.stringify(unknown)}.`);
  const powers = {
    scopes: [...new Set(body.scopes)],
    scoped_teams: [...new Set(body.scoped_teams ?? [])],
    scoped_organizations: [...new Set(body.scoped_organizations ?? [])],
  };
  checkPowers(caller.key, powers);
  await checkRestrictions(table, caller, powers);
  const { hash, value, mask_value } = newSecret("personal", world.ids);
  const key: PersonalApiKey = {
    ...powers,
    id: ids.uuid(),
    hash,
    mask_value,
    label: body.label,
    description: body.description ?? "",
    user_id: caller.user.id,
    created_at: new Date(clock.now()).toISOString(),
    last_used_at: null,
    last_rolled_at: null,
  };
  await addToList(world, keysOfPerson(caller.user.id), [putting(PersonalApiKeys, key, ABSENT)]);
  await untilListed(table, PersonalApiKeys, "ofUser", key);
  return keyForm(key, value);
};

/** Gives a key another value; the one before stops. */
export const rollPersonalKey = async (
  world: Pick<World, "table" | "ids" | "clock">,
  { caller }: PersonalGrant,
  id: string,
): Promise<Form> => {
  const key = await keyWith(world.table, caller, id);
  checkPowers(caller.key, key);
  const { hash, value, mask_value } = newSecret("personal", world.ids);
  const rolled: PersonalApiKey = { ...key, hash, mask_value, last_rolled_at: new Date(world.clock.now()).toISOString() };
  await transact(world.table, [
    removing(PersonalApiKeys, { hash: key.hash }, { kind: "present" }),
    putting(PersonalApiKeys, rolled, ABSENT),
  ]);
  forgetCallers(world.table);
  return keyForm(rolled, value);
};

/** Tries while a key is rolled or deleted at the same moment. */
const TRIES = 3;

/** Deletes a key of the caller's. Throws 403 for one that can do more, 404 where there is none, also where somebody else was quicker. */
export const deletePersonalKey = async (world: Pick<World, "table" | "clock">, { caller }: PersonalGrant, id: string): Promise<void> => {
  // One that was rolled meanwhile is there under another hash, and would go on opening what it opens.
  await untilWritten({ most: TRIES }, async () => {
    const key = await keyWith(world.table, caller, id);
    checkPowers(caller.key, key);
    await takeFromList(world, keysOfPerson(caller.user.id), [removing(PersonalApiKeys, { hash: key.hash }, { kind: "present" })]);
  });
  forgetCallers(world.table);
};

const userKeys = (table: Table, { user }: PersonalCaller): Promise<readonly PersonalApiKey[]> =>
  list(table, PersonalApiKeys, "ofUser", { user_id: user.id });

const keyWith = async (table: Table, caller: PersonalCaller, id: string): Promise<PersonalApiKey> => {
  const key = (await userKeys(table, caller)).find((each) => each.id === id.toLowerCase());
  if (key === undefined) throw notFound();
  return key;
};

/** A restriction names what the caller can see: anything else would tell what exists. Two reads, however much it names. */
const checkRestrictions = async (
  table: Table,
  { user }: PersonalCaller,
  { scoped_teams, scoped_organizations }: Pick<PersonalApiKey, "scoped_teams" | "scoped_organizations">,
): Promise<void> => {
  const named = scoped_teams.map((id) => ({ id }));
  const projects = named.length === 0 ? [] : await getMany(table, Projects, named, { consistent: true });
  const holders = new Map(projects.flatMap(({ id, state, organization_id }) => (state === "active" ? [[id, organization_id]] : [])));
  const organizations = [...new Set([...holders.values(), ...scoped_organizations])];
  const keys = organizations.map((organization_id) => ({ organization_id, user_id: user.id }));
  const memberships = keys.length === 0 ? [] : await getMany(table, Memberships, keys, { consistent: true });
  const joined = new Set(memberships.map(({ organization_id }) => organization_id));
  const hidden = scoped_teams.find((id) => !joined.has(holders.get(id) ?? ""));
  if (hidden !== undefined) throw invalid("scoped_teams", `You have no project ${hidden}.`);
  const foreign = scoped_organizations.find((id) => !joined.has(id));
  if (foreign !== undefined) throw invalid("scoped_organizations", `You are in no organization ${foreign}.`);
};
