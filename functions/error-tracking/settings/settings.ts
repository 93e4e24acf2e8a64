import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { ErrorTrackingSettings, MAX_LIMIT_NUMBER } from "../../../lib/error-tracking/settings.ts";
import { integer } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { get } from "../../../lib/table/store.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { setOrCreate } from "./set-or-create.ts";

const SettingsForm = ErrorTrackingSettings.schema.omit({ project: true }).meta({ id: "ErrorTrackingSettings" });

const NO_LIMITS: z.output<typeof SettingsForm> = Object.freeze({
  project_rate_limit_value: null,
  project_rate_limit_bucket_size_minutes: null,
  per_issue_rate_limit_value: null,
  per_issue_rate_limit_bucket_size_minutes: null,
});

const limit = () => integer({ min: 1, max: MAX_LIMIT_NUMBER }).nullable().exactOptional();

const SettingsChanges = z
  .object({
    project_rate_limit_value: limit(),
    project_rate_limit_bucket_size_minutes: limit(),
    per_issue_rate_limit_value: limit(),
    per_issue_rate_limit_bucket_size_minutes: limit(),
  })
  .meta({ id: "ErrorTrackingSettingsChanges" });

const retrieve = route({
  method: "GET",
  path: `${BASE}/settings/retrieve_settings/`,
  summary: "How many exceptions may be stored",
  tags: TAGS,
  access: read,
  reply: json(200, SettingsForm),
  handle: async ({ grant, world }) =>
    (await get(world.table, ErrorTrackingSettings, { project: grant.project.id }, { consistent: true })) ?? NO_LIMITS,
});

const update = route({
  method: "PATCH",
  path: `${BASE}/settings/update_settings/`,
  summary: "Limit how many exceptions may be stored",
  description: "Fields that are left out keep what they are; null lifts. A limit holds once both of its numbers are set.",
  tags: TAGS,
  access: write,
  body: SettingsChanges,
  examples: { body: { project_rate_limit_value: 1_000, project_rate_limit_bucket_size_minutes: 60 } },
  reply: json(200, SettingsForm),
  handle: ({ body, grant, world }) => {
    const project = grant.project.id;
    return setOrCreate(world.table, ErrorTrackingSettings, { project }, { project, ...NO_LIMITS }, body);
  },
});

export const settingsRoutes = [retrieve, update];
