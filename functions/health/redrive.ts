import type { World } from "../../lib/app/world.ts";
import type { ProjectGrant } from "../../lib/auth/access.ts";
import { unavailable } from "../../lib/http/errors.ts";
import { redrive } from "../../lib/jobs/redrive.ts";
import { MAX_MESSAGES_PER_SEND, type QueueName } from "../../lib/ports/queues.ts";
import type { RedriveResult } from "./wire.ts";

/** A round takes three calls: so many are over in seconds, and the caller asks again while there are more. */
const MOST_ROUNDS = 10;
export const MOST_REDRIVEN = MOST_ROUNDS * MAX_MESSAGES_PER_SEND;

/** Sends some dead letters of a lane back, and says who did. 503 where the lane takes none. */
export const redriveLane = async (world: World, { project, caller }: ProjectGrant, lane: QueueName): Promise<RedriveResult> => {
  const { moved, hasMore } = await redrive(world, lane, MOST_ROUNDS);
  world.log.line("info", "redrive", { project: project.id, user: caller.user.id, lane, moved });
  if (moved === 0 && hasMore) throw unavailable(new Error(`the ${lane} queue took no dead letter`));
  return { lane, moved, has_more: hasMore };
};
