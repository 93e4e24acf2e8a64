import type { World } from "../../../lib/app/world.ts";
import { LANES, type LaneName, type OldestSent } from "../../../lib/aws/aws-queue-ages.ts";
import { DAY_MS, MINUTE_MS } from "../../../lib/core/time.ts";

/** What the lanes of a stage say of what was acknowledged and is not stored yet. */
export interface LaneMoment {
  /** Whatever was sent to a lane before has been taken out of it, milliseconds since 1970. */
  readonly before: number;
  /** A lane is not empty, and the moment is by the age of its oldest message. That leaves out what failed three times and more. */
  readonly isByAge: boolean;
  readonly deadLetters: number;
}

/** SQS's counts may lag a minute behind. */
const COUNTS_LAG_MS = MINUTE_MS;
/** No message is older, wherever it lies. */
const OLDEST_MS = 14 * DAY_MS;

/** Looks at all lanes at once. What a lane held a minute ago, or when its age was last told, is a bound for all of it. */
export const laneMoment = async (
  { queueDepths, clock }: Pick<World, "queueDepths" | "clock">,
  oldestSent: OldestSent,
): Promise<LaneMoment> => {
  const at = clock.now();
  const depths = await Promise.all(LANES.map(async (queue) => ({ queue, ...(await queueDepths.read(queue)) })));
  const full = depths.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  const sent = full.length > 0 ? await oldestSent() : new Map<LaneName, number>();
  return {
    before: Math.min(at - COUNTS_LAG_MS, ...full.map(({ queue }) => sent.get(queue) ?? at - OLDEST_MS)),
    isByAge: full.length > 0,
    deadLetters: depths.reduce((sum, { deadLetters }) => sum + deadLetters, 0),
  };
};
