/** The outputs of a deployed stage's front stack: declared there, read by the operator's commands. */
export const STACK_OUTPUTS = {
  baseUrl: "BaseUrl",
  ingestUrl: "IngestUrl",
  table: "TableName",
  bucket: "BucketName",
  queues: { live: "LiveQueueUrl", historical: "HistoricalQueueUrl", jobs: "JobsQueueUrl" },
  deadLetters: { live: "LiveDeadLettersUrl", historical: "HistoricalDeadLettersUrl", jobs: "JobsDeadLettersUrl" },
} as const;
