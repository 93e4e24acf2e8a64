/** The output of a stage's data stack that says which generation of formats is written: it stands there before a function writes it. */
export const FORMATS_WRITTEN = "FormatsWritten";

/** The outputs of a deployed stage's front stack: declared there, read by the operator's commands. */
export const STACK_OUTPUTS = {
  baseUrl: "BaseUrl",
  ingestUrl: "IngestUrl",
  table: "TableName",
  bucket: "BucketName",
  formatsRead: "FormatsRead",
  queues: { live: "LiveQueueUrl", historical: "HistoricalQueueUrl", jobs: "JobsQueueUrl" },
  deadLetters: { live: "LiveDeadLettersUrl", historical: "HistoricalDeadLettersUrl", jobs: "JobsDeadLettersUrl" },
} as const;

/** The names of a stage's stacks. The front stack has the stage's own, and its outputs name everything. */
export const stackNames = (stage: string) => ({
  front: stage,
  workers: `${stage}-workers`,
  ingest: `${stage}-ingest`,
  data: `${stage}-data`,
});

/** The stage whose stack behind the front one has this name, if it is such a name: no other stage may be called so. */
export const stageOfStack = (stack: string): string | undefined => {
  const { front: _, ...behind } = stackNames("");
  const suffix = Object.values(behind).find((each) => stack.endsWith(each));
  return suffix === undefined ? undefined : stack.slice(0, -suffix.length);
};

/** Outputs of the data stack that are there where it holds a table, or a bucket, that a destroyed stage had left. */
export const KEPT_OUTPUTS = { table: "KeptTableName", bucket: "KeptBucketName" } as const;
