import * as z from "zod";

const MINUTE_SECONDS = 60;

const Asked = z.object({
  EndTime: z.number(),
  MetricDataQueries: z.array(
    z.object({
      Id: z.string(),
      MetricStat: z.object({
        Metric: z.object({
          MetricName: z.literal("ApproximateAgeOfOldestMessage"),
          Dimensions: z.array(z.object({ Value: z.string() })),
        }),
      }),
    }),
  ),
});

/**
 * The ages of the oldest messages as the metric service tells them: of the last whole minute, stamped with its beginning, and none of a queue
 * in which there was no message.
 */
export const oldestAges = (body: Buffer, oldest: (queue: string) => number | undefined): string => {
  const { EndTime, MetricDataQueries } = Asked.parse(JSON.parse(body.toString()));
  const minute = Math.floor(EndTime / MINUTE_SECONDS) * MINUTE_SECONDS - MINUTE_SECONDS;
  const MetricDataResults = MetricDataQueries.map(({ Id, MetricStat }) => {
    const [queue] = MetricStat.Metric.Dimensions;
    const sent = queue && oldest(queue.Value);
    const told = sent !== undefined && sent / 1_000 < minute + MINUTE_SECONDS;
    return {
      Id,
      Label: Id,
      StatusCode: "Complete",
      Timestamps: told ? [minute] : [],
      Values: told ? [Math.max(0, minute + MINUTE_SECONDS - sent / 1_000)] : [],
    };
  });
  return JSON.stringify({ MetricDataResults, Messages: [] });
};
