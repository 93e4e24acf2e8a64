import * as z from "zod";
import { route } from "../../../lib/app/routes.ts";
import { SpikeDetectionConfigs } from "../../../lib/error-tracking/settings.ts";
import { integer } from "../../../lib/http/fields.ts";
import { json } from "../../../lib/http/reply.ts";
import { get } from "../../../lib/table/store.ts";
import { BASE, read, TAGS, write } from "../place.ts";
import { setOrCreate } from "./set-or-create.ts";

const ConfigForm = z
  .object({ snooze_duration_minutes: z.int(), multiplier: z.int(), threshold: z.int() })
  .meta({ id: "SpikeDetectionConfig" });

const MAX_NUMBER = 2_147_483_647;
const whole = () => integer({ min: 1, max: MAX_NUMBER }).exactOptional();

const ConfigChanges = z
  .object({
    snooze_duration_minutes: whole(),
    multiplier: whole(),
    threshold: whole(),
  })
  .meta({ id: "SpikeDetectionConfigChanges" });

/** The configuration of a project that has set nothing. */
const standard = (project: number) => SpikeDetectionConfigs.schema.parse({ project });

const retrieve = route({
  method: "GET",
  path: `${BASE}/spike_detection_config/`,
  summary: "When a burst of exceptions is a spike",
  tags: TAGS,
  access: read,
  reply: json(200, ConfigForm),
  async handle({ grant, world }) {
    const project = grant.project.id;
    return (await get(world.table, SpikeDetectionConfigs, { project }, { consistent: true })) ?? standard(project);
  },
});

const update = route({
  method: "PATCH",
  path: `${BASE}/spike_detection_config/update_config/`,
  summary: "Say when a burst of exceptions is a spike",
  description: "Fields that are left out keep what they are. It holds for exceptions that come from now on.",
  tags: TAGS,
  access: write,
  body: ConfigChanges,
  examples: { body: { snooze_duration_minutes: 10, multiplier: 5, threshold: 100 } },
  reply: json(200, ConfigForm),
  handle: ({ body, grant, world }) => {
    const project = grant.project.id;
    return setOrCreate(world.table, SpikeDetectionConfigs, { project }, standard(project), body);
  },
});

export const spikeDetectionConfigRoutes = [retrieve, update];
