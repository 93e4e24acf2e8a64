import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import type { ProjectGrant } from "../../lib/auth/access.ts";
import { forgetCallers } from "../../lib/auth/callers.ts";
import { invalid, notFound } from "../../lib/http/errors.ts";
import { text } from "../../lib/http/fields.ts";
import { newSecret } from "../../lib/keys/credential.ts";
import { type ProjectSecretKey, ProjectSecretKeys, secretKeysOfProject } from "../../lib/keys/project-secret-keys.ts";
import { SECRET_KEY_SCOPES } from "../../lib/keys/scopes.ts";
import type { Key, Table } from "../../lib/ports/table.ts";
import { addToList, takeFromList } from "../../lib/table/bounded-list.ts";
import { untilListed } from "../../lib/table/paging.ts";
import { keyIn } from "../../lib/table/partitions.ts";
import { list, putting, removing } from "../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, releasing, transact } from "../../lib/table/transact.ts";
import { untilWritten } from "../../lib/table/until-written.ts";
import { keyTimes } from "./key-times.ts";
import { checkPowers, checkScopes, type Powers } from "./powers.ts";

const LABEL_CHARACTERS = 40;

/** The position of the label's marker in the transaction that makes a key. */
const LABEL = 0;

export const NewSecretKey = z
  .object({ label: text({ max: LABEL_CHARACTERS }), scopes: z.array(z.string()).max(SECRET_KEY_SCOPES.length * 2) })
  .meta({ id: "ProjectSecretApiKeyWrite" });

export const SecretKeyForm = z
  .object({
    id: z.guid(),
    label: z.string(),
    value: z.string().nullable(),
    mask_value: z.string(),
    created_at: z.string(),
    last_used_at: z.string().nullable(),
    last_rolled_at: z.string().nullable(),
    scopes: z.array(z.string()),
  })
  .meta({ id: "ProjectSecretApiKey" });

type Form = z.input<typeof SecretKeyForm>;

/** A key as it is shown; its value only where it was just made. */
const keyForm = (key: ProjectSecretKey, value: string | null): Form => ({ ...key, ...keyTimes(key), value });

export const listSecretKeys = async (table: Table, { project }: ProjectGrant): Promise<Form[]> =>
  (await projectKeys(table, project.id)).map((key) => keyForm(key, null));

export const createSecretKey = async (
  world: Pick<World, "table" | "ids" | "clock">,
  { project, caller }: ProjectGrant,
  body: z.output<typeof NewSecretKey>,
): Promise<Form> => {
  const { table, ids, clock } = world;
  const scopes = secretScopes(body.scopes);
  checkScopes(caller.key, scopes);
  // A label of a key that has no marker, because the operator made it.
  if ((await projectKeys(table, project.id)).some(({ label }) => label === body.label)) throw taken();
  const { value, hash, mask_value } = newSecret("secret", world.ids);
  const key: ProjectSecretKey = {
    id: ids.uuid(),
    hash,
    mask_value,
    label: body.label,
    project_id: project.id,
    organization_id: project.organization_id,
    scopes,
    created_at: new Date(clock.now()).toISOString(),
    last_used_at: null,
    last_rolled_at: null,
  };
  try {
    await addToList(world, secretKeysOfProject(project.id), [claiming(labelMarker(key), key.id), putting(ProjectSecretKeys, key, ABSENT)]);
  } catch (error) {
    if (failedAt(error, LABEL)) throw taken();
    throw error;
  }
  await untilListed(table, ProjectSecretKeys, "ofProject", key);
  return keyForm(key, value);
};

/** Gives a key another value; the one before stops. */
export const rollSecretKey = async (
  world: Pick<World, "table" | "ids" | "clock">,
  { project, caller }: ProjectGrant,
  id: string,
): Promise<Form> => {
  const key = await keyWith(world.table, project.id, id);
  checkPowers(caller.key, powersOf(key));
  const { value, hash, mask_value } = newSecret("secret", world.ids);
  const rolled: ProjectSecretKey = { ...key, hash, mask_value, last_rolled_at: new Date(world.clock.now()).toISOString() };
  await transact(world.table, [
    removing(ProjectSecretKeys, { hash: key.hash }, { kind: "present" }),
    putting(ProjectSecretKeys, rolled, ABSENT),
  ]);
  forgetCallers(world.table);
  return keyForm(rolled, value);
};

/** Tries while a key is rolled or deleted at the same moment. */
const TRIES = 3;

/** Deletes a key of the project. Throws 403 for one that can do more, 404 where there is none, also where somebody else was quicker. */
export const deleteSecretKey = async (
  world: Pick<World, "table" | "clock">,
  { project, caller }: ProjectGrant,
  id: string,
): Promise<void> => {
  // One that was rolled meanwhile is there under another hash, and would go on opening what it opens.
  await untilWritten({ most: TRIES }, async () => {
    const key = await keyWith(world.table, project.id, id);
    checkPowers(caller.key, powersOf(key));
    await takeFromList(world, secretKeysOfProject(project.id), [
      removing(ProjectSecretKeys, { hash: key.hash }, { kind: "present" }),
      releasing(labelMarker(key), key.id),
    ]);
  });
  forgetCallers(world.table);
};

const projectKeys = (table: Table, project: number): Promise<readonly ProjectSecretKey[]> =>
  list(table, ProjectSecretKeys, "ofProject", { project_id: project });

const keyWith = async (table: Table, project: number, id: string): Promise<ProjectSecretKey> => {
  const key = (await projectKeys(table, project)).find((each) => each.id === id.toLowerCase());
  if (key === undefined) throw notFound();
  return key;
};

/** What a secret key may do, as if it were somebody's. */
const powersOf = ({ scopes, project_id, organization_id }: ProjectSecretKey): Powers => ({
  scopes,
  scoped_teams: [project_id],
  scoped_organizations: [organization_id],
});

/** Lies with the project, and is deleted with it. */
const labelMarker = ({ project_id, label }: Pick<ProjectSecretKey, "project_id" | "label">): Key =>
  keyIn("project", "secretKeyLabel", { project: project_id, label });

const taken = () => invalid("label", "A secret key of this project has this label. Choose another one.", "unique");

const secretScopes = (given: readonly string[]): ProjectSecretKey["scopes"] => {
  if (given.length === 0) throw invalid("scopes", "A key without scopes opens nothing: name at least one.", "empty");
  const known = SECRET_KEY_SCOPES.filter((scope) => given.includes(scope));
  const unknown = given.find((scope) => !known.some((each) => each === scope));
  if (unknown !== undefined)
    throw invalid("scopes", `A project's secret key cannot have ${JSON.stringify(unknown)}; it may have ${SECRET_KEY_SCOPES.join(", ")}.`);
  return known;
};
