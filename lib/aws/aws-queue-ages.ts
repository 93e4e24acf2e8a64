import * as z from "zod";
import type { QueueName } from "../ports/queues.ts";
import { type SignedPlace, signedPost } from "./parts/signed-post.ts";

/** The queues that bring events. What waits in the queue of jobs, the sweep asks for again. */
export const LANES = ["live", "historical"] as const satisfies readonly QueueName[];
export type LaneName = (typeof LANES)[number];

/** Before which moment nothing is left that was sent to a lane, milliseconds since 1970, for those of which it is told. */
export type OldestSent = () => Promise<ReadonlyMap<LaneName, number>>;

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

/**
 * Asks the metrics of the lanes, which are told each minute: one request, of two metrics. Each stands at the beginning of its minute, so no
 * message is older than it says, but those that failed three times and more: the service leaves them out.
 */
export const oldestByMetric =
  (place: SignedPlace, urls: Readonly<Record<LaneName, string>>): OldestSent =>
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
