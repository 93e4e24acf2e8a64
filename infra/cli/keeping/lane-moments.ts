import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import { type SignedPlace, signedPost } from "../../../lib/aws/parts/signed-post.ts";
import { DAY_MS, MINUTE_MS } from "../../../lib/core/time.ts";

/** What the lanes of a stage say of what was acknowledged and is not stored yet. */
export interface LaneMoment {
  /** Whatever was sent to a lane before has been taken out of it, milliseconds since 1970. */
  readonly before: number;
  /** A lane is not empty, and the moment is by the age of its oldest message. That leaves out what failed three times and more. */
  readonly isByAge: boolean;
  readonly deadLetters: number;
}

/** The queues that bring events. What waits in the queue of jobs, the sweep asks for again. */
const LANES = ["live", "historical"] as const;
type Lane = (typeof LANES)[number];

/** SQS's counts may lag a minute behind. */
const COUNTS_LAG_MS = MINUTE_MS;
/** No message is older, wherever it lies. */
const OLDEST_MS = 14 * DAY_MS;

/** Before which moment nothing is left that was sent to a lane, milliseconds since 1970, for those of which it is told. */
export type OldestSent = () => Promise<ReadonlyMap<Lane, number>>;

/** Looks at all lanes at once. What a lane held a minute ago, or when its age was last told, is a bound for all of it. */
export const laneMoment = async (
  { queueDepths, clock }: Pick<World, "queueDepths" | "clock">,
  oldestSent: OldestSent,
): Promise<LaneMoment> => {
  const at = clock.now();
  const depths = await Promise.all(LANES.map(async (queue) => ({ queue, ...(await queueDepths.read(queue)) })));
  const full = depths.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  const sent = full.length > 0 ? await oldestSent() : new Map<Lane, number>();
  return {
    before: Math.min(at - COUNTS_LAG_MS, ...full.map(({ queue }) => sent.get(queue) ?? at - OLDEST_MS)),
    isByAge: full.length > 0,
    deadLetters: depths.reduce((sum, { deadLetters }) => sum + deadLetters, 0),
  };
};

const METRICS = {
  service: "monitoring",
  called: "metric service",
  path: "/",
  contentType: "application/x-amz-json-1.0",
  timeoutMs: 10_000,
};
const TARGET = { "x-amz-target": "GraniteServiceVersion20100801.GetMetricData" };
const PERIOD_SECONDS = 60;
const LOOKED_BACK_SECONDS = 900;

const Answer = z.object({
  MetricDataResults: z.array(z.object({ Id: z.enum(LANES), Timestamps: z.array(z.number()), Values: z.array(z.number()) })),
});

/** Asks the metrics of the lanes, which are told each minute: one request, of two metrics. */
export const oldestByMetric =
  (place: SignedPlace, urls: Readonly<Record<Lane, string>>): OldestSent =>
  async () => {
    const now = Math.floor(Date.now() / 1_000);
    const MetricDataQueries = LANES.map((queue) => ({
      Id: queue,
      MetricStat: {
        Metric: {
          Namespace: "AWS/SQS",
          MetricName: "ApproximateAgeOfOldestMessage",
          Dimensions: [{ Name: "QueueName", Value: urls[queue].slice(urls[queue].lastIndexOf("/") + 1) }],
        },
        Period: PERIOD_SECONDS,
        Stat: "Maximum",
      },
    }));
    const asked = { StartTime: now - LOOKED_BACK_SECONDS, EndTime: now, ScanBy: "TimestampDescending", MetricDataQueries };
    const { MetricDataResults } = Answer.parse(JSON.parse(await signedPost(place, METRICS)(JSON.stringify(asked), TARGET)));
    return new Map(
      MetricDataResults.flatMap(({ Id, Timestamps: [at], Values: [age] }) =>
        at === undefined || age === undefined ? [] : [[Id, (at - age) * 1_000] as const],
      ),
    );
  };
