import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../../../lib/app/world.ts";
import { askErasure } from "../../../lib/erasure/erase.ts";
import { type Erasure, Erasures } from "../../../lib/erasure/erasures.ts";
import { invalid, methodNotAllowed, notFound, unavailable } from "../../../lib/http/errors.ts";
import { sendAllJobs } from "../../../lib/jobs/jobs.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { get } from "../../../lib/table/store.ts";
import { requireUuid } from "./find-persons.ts";

/** A job takes about a second. A request waits for so long, which is less than the gateway does. */
const WAIT_MS = 20_000;
const LOOK_AGAIN_MS = 200;

/**
 * Asks for a person to be erased and waits until no query sees anything of them. Throws 405 where the stage leaves that to its operator, 400,
 * 404, and 503 while it is under way.
 */
export const erasePerson = async (world: World, project: Project, id: string, deleteEvents: string | undefined): Promise<void> => {
  if (world.config.erasure !== "api") throw methodNotAllowed("DELETE", ["GET"]);
  const uuid = requireUuid(id);
  if (deleteEvents !== "true") throw invalid("delete_events", "A person is erased with all events, or not at all: say delete_events=true.");
  const erasure = await askErasure(world, project, uuid);
  if (erasure === undefined) throw notFound();
  if (!isGone(erasure)) await sendAllJobs(world.queues, [{ kind: "remove-rows", project: project.id }]);
  const end = world.clock.now() + WAIT_MS;
  for (let now: Erasure | undefined = erasure; now !== undefined && !isGone(now); now = await lookAgain(world, erasure))
    if (world.clock.now() >= end) throw unavailable("an erasure is still under way");
};

const isGone = ({ state }: Erasure): boolean => state === "gone" || state === "done";

const lookAgain = async ({ table }: World, { project, id }: Erasure): Promise<Erasure | undefined> => {
  await pause(LOOK_AGAIN_MS);
  return get(table, Erasures, { project, id }, { consistent: true });
};
