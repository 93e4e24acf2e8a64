import type { World } from "../../lib/app/world.ts";
import { Memberships } from "../../lib/organizations/memberships.ts";
import { LEVELS, Organization, Organizations, slugMarker, slugOf } from "../../lib/organizations/organizations.ts";
import { newProject } from "../../lib/projects/new-project.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { untilListed } from "../../lib/table/paging.ts";
import { nextNumber } from "../../lib/table/sequence.ts";
import { putting } from "../../lib/table/store.ts";
import { ABSENT, claiming, failedAt, ownerOf, transact } from "../../lib/table/transact.ts";
import type { PatchedOrganization } from "./bodies.ts";
import { checkEnforcement } from "./enforcement.ts";
import type { Mine } from "./shown.ts";

const SLUG_CHARACTERS = 48;
/** Characters of the id that tell apart two organizations of one name. */
const SLUG_ENDING = 6;

/** The position of the slug's marker in the transaction. */
const SLUG = 0;

const DEFAULT_PROJECT = "Default project";

type Parts = Pick<World, "table" | "clock" | "ids">;

/** Makes an organization with the user as its owner and one project, all in one transaction. */
export const createOrganization = async (
  parts: Parts,
  user: { readonly id: number; readonly email: string },
  body: PatchedOrganization & { readonly name: string },
): Promise<Mine> => {
  const { table, ids, clock } = parts;
  const id = ids.uuid();
  if (body.enforce_verified_domains) await checkEnforcement(table, id, user.email);
  const plain = slugOf(body.name);
  const taken = ownerOf(await table.get(slugMarker(plain), { consistent: true })) !== undefined;
  const project = await nextNumber(table, "project");
  const make = async (slug: string): Promise<Mine> => {
    const now = new Date(clock.now()).toISOString();
    const organization = Organization.parse({ ...body, id, slug, created_at: now, updated_at: now });
    const membership = { organization_id: id, user_id: user.id, level: LEVELS.owner, joined_at: now };
    const first = newProject(parts, { id: project, organization_id: id, name: DEFAULT_PROJECT });
    await transact(table, [
      claiming(slugMarker(slug), id),
      putting(Organizations, organization, ABSENT),
      putting(Memberships, membership, ABSENT),
      ...first.writes,
    ]);
    await Promise.all([
      untilListed(table, Memberships, "ofUser", membership),
      untilListed(table, Projects, "ofOrganization", first.project),
    ]);
    return { organization, membership };
  };
  const ending = `${plain.slice(0, SLUG_CHARACTERS - SLUG_ENDING - 1)}-${id.slice(-SLUG_ENDING)}`;
  if (taken) return make(ending);
  try {
    return await make(plain);
  } catch (error) {
    // Somebody has taken the slug since it was looked at.
    if (!failedAt(error, SLUG)) throw error;
    return make(ending);
  }
};
