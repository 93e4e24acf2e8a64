import { readHealth } from "../../../functions/health/read-health.ts";
import type { World } from "../../../lib/app/world.ts";
import { GENERATION, NEXT_GENERATION } from "../../../lib/core/formats.ts";
import { MINUTE_MS } from "../../../lib/core/time.ts";
import { listFailures } from "../../../lib/lake/failures.ts";
import { LATE_MS, QUEUES, type QueueName } from "../../../lib/ports/queues.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { QUOTA_RESOURCES, quotaItemKey, readMarkers } from "../../../lib/usage/project-quotas.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Since when the oldest message of a queue lies there, milliseconds since 1970; undefined where that cannot be told, or there is none. */
export type OldestMessage = (queue: QueueName) => number | undefined;

/** The lanes that all projects share: what waits, for how long, and what was given up on. */
export const checkLanes = async (
  { queueDepths, clock }: Pick<World, "queueDepths" | "clock">,
  oldest: OldestMessage,
): Promise<readonly Finding[]> => {
  const findings: Finding[] = [];
  for (const queue of QUEUES) {
    const { waiting, inFlight, deadLetters } = await queueDepths.read(queue);
    const since = oldest(queue);
    const ageMs = since === undefined ? 0 : clock.now() - since;
    const age = since === undefined ? "" : `, the oldest for ${Math.floor(ageMs / MINUTE_MS)} min`;
    const says = `${waiting} wait${age}, ${inFlight} in work`;
    const isLate = queue !== "historical" && ageMs > LATE_MS[queue];
    const lane = `${queue} lane`;
    findings.push(isLate ? fail(lane, says, `infra/runbook.md says where to look (${queue}-late)`) : ok(lane, says));
    if (deadLetters > 0)
      findings.push(
        fail(
          lane,
          `${deadLetters} were given up on`,
          `find the cause (infra/runbook.md, ${queue}-dead-letters), then send them back: admin redrive`,
        ),
      );
  }
  return findings;
};

/** How a project is: late events and jobs, types that misfit, limits that drop events. */
export const checkProject = async (world: World, { id }: Project): Promise<readonly Finding[]> => {
  const health = await readHealth(world, id);
  const check = `project ${id}`;
  const failures = await listFailures(world.table, id);
  const findings: Finding[] = failures.map(({ job, attempts, error }) =>
    fail(
      check,
      `the job ${job.kind} failed ${attempts} times: ${error}`,
      "infra/runbook.md says what that means (jobs-dead-letters); it is tried again by itself",
    ),
  );
  if (health.status === "behind") findings.push(fail(check, health.summary, "see the runbook's article"));
  if (health.misfits.length > 0)
    findings.push(
      warn(
        check,
        `${health.misfits.length} properties have values that do not fit their type, such as ${health.misfits[0]?.property}`,
        `admin properties --project ${id} counts them`,
      ),
    );
  const markers = readMarkers(await world.table.get(quotaItemKey(id)));
  const now = world.clock.now();
  for (const resource of QUOTA_RESOURCES) {
    const until = markers[resource];
    if (until !== undefined && until > now)
      findings.push(
        warn(
          check,
          `${resource} are limited until ${new Date(until).toISOString()}: more of them are dropped`,
          "raise the limit of its organization, or lift what was set by hand with `quota` in a document for `admin apply`",
        ),
      );
  }
  return findings.length > 0 ? findings : [ok(check, health.status === "ok" ? health.summary : "nothing fails and nothing is late")];
};

/** Which formats are written and read. */
export const checkVersions = ({ config }: Pick<World, "config">): Finding =>
  config.writeFormats > NEXT_GENERATION
    ? fail(
        "formats",
        `generation ${config.writeFormats} is written, and this release reads up to ${NEXT_GENERATION}`,
        "use a newer release",
      )
    : ok(
        "formats",
        `this release writes generation ${config.writeFormats === GENERATION ? GENERATION : config.writeFormats} and reads up to ${NEXT_GENERATION}`,
      );
