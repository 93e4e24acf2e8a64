import * as z from "zod";
import type { World } from "../../lib/app/world.ts";
import type { PersonalGrant } from "../../lib/auth/access.ts";
import { reachedPlaces } from "../../lib/auth/reached-places.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { PersonalApiKeys } from "../../lib/keys/personal-api-keys.ts";
import { LEVEL_NAMES } from "../../lib/organizations/organizations.ts";
import { get } from "../../lib/table/store.ts";
import { keyForm, PersonalKeyForm } from "./personal.ts";

export const CurrentKeyForm = PersonalKeyForm.extend({
  user: z.object({ id: z.int(), uuid: z.guid(), first_name: z.string(), last_name: z.string(), email: z.string() }),
  organizations: z.array(
    z.object({ id: z.guid(), name: z.string(), slug: z.string(), membership_level: z.int(), level: z.enum(LEVEL_NAMES) }),
  ),
  projects: z.array(z.object({ id: z.int(), name: z.string(), organization_id: z.guid(), api_token: z.string(), timezone: z.string() })),
  ingest_url: z.string(),
}).meta({ id: "CurrentPersonalApiKey" });

/** What the key of this very call may do, as whom, in which organizations and projects, and where the SDKs of these post. */
export const currentKey = async (
  { table, config }: Pick<World, "table" | "config">,
  { caller }: PersonalGrant,
  request: HttpRequest,
): Promise<z.input<typeof CurrentKeyForm>> => {
  const { user } = caller;
  // The caller may have been found before the moment of this use was written down.
  const [key, reached] = await Promise.all([
    get(table, PersonalApiKeys, { hash: caller.key.hash }, { consistent: true }),
    reachedPlaces(table, caller),
  ]);
  return {
    ...keyForm(key ?? caller.key, null),
    user: { id: user.id, uuid: user.uuid, first_name: user.first_name, last_name: user.last_name, email: user.email },
    organizations: reached.map(({ organization: { id, name, slug }, membership: { level } }) => ({
      id,
      name,
      slug,
      membership_level: level,
      level: LEVEL_NAMES[level],
    })),
    projects: reached.flatMap(({ projects }) =>
      projects.map(({ id, name, organization_id, api_token, timezone }) => ({ id, name, organization_id, api_token, timezone })),
    ),
    ingest_url: config.ingestUrl || request.origin,
  };
};
