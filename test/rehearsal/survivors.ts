import { PARTITIONS } from "../../lib/table/partitions.ts";
import { REASONS } from "../infra/rights-reasons.ts";
import type { Explanation } from "./explained.ts";

/**
 * Why functions touch partitions where no recorded operation of theirs shows it. They stand with the matrix of rights, which is held to the
 * policies; a day touches many of these all the same.
 */
export const OF_THE_MATRIX: readonly Explanation[] = Object.entries(REASONS).flatMap(([of, reasons]) =>
  reasons.map(({ because, of: partitions }): Explanation => {
    const patterns = partitions.map((name) => PARTITIONS[name].pk.replaceAll(/\{[^}]+\}/g, "*"));
    return { kind: "grant", of: [of], parts: patterns.flatMap((pattern) => [`read ${pattern}`, `write ${pattern}`]), because };
  }),
);

/** What a rehearsed day does not use, and why it is there all the same. */
export const EXPLANATIONS: readonly Explanation[] = [
  // The table.
  {
    kind: "grant",
    parts: ["read: dynamodb:BatchGetItem", "read: dynamodb:Query"],
    beside: ["read: dynamodb:GetItem"],
    because: "to read a partition is one right: an item by its key, several at once, or in order",
  },
  {
    kind: "grant",
    parts: ["write: dynamodb:PutItem"],
    beside: ["write: dynamodb:UpdateItem"],
    because: "to write to a partition is one right: whole items, or changes of them",
  },
  {
    kind: "grant",
    of: ["notices"],
    parts: ["write: dynamodb:UpdateItem"],
    beside: ["write: dynamodb:PutItem"],
    sometimes: true,
    because: "a notice that could not be sent is put off",
  },
  {
    kind: "grant",
    of: ["ingest-live", "ingest-historical", "jobs"],
    parts: ["write: dynamodb:ConditionCheckItem"],
    because:
      "an issue that is gone is made again only while its fingerprint still leads to it, and a table is published only while its project stands",
  },
  {
    kind: "grant",
    of: ["tables"],
    parts: ["write: dynamodb:DeleteItem"],
    sometimes: true,
    because: "a run whose endpoint went while its table was made is forgotten",
  },
  {
    kind: "grant",
    of: ["closing"],
    parts: ["write: dynamodb:DeleteItem"],
    sometimes: true,
    because: "the last invoice of a customer who holds nothing is forgotten where it says nothing",
  },
  {
    kind: "grant",
    of: ["code", "organizations"],
    parts: ["read project#*"],
    because: "a secret key of a project is looked up with the project, before it is refused here",
  },
  {
    kind: "grant",
    of: ["billing", "code", "dashboards", "endpoint-runs", "endpoints", "endpoint-trials", "health", "llm-analytics", "quota-limits"],
    parts: ["write key#*"],
    sometimes: true,
    because: "when a key was used last is written by whichever function is called first after a while",
  },
  {
    kind: "grant",
    of: ["error-tracking"],
    parts: ["list over gsi1 errors#*#chunk#*#frames"],
    sometimes: true,
    because: "the frames of a symbol set are asked for by its id, which no example does",
  },
  {
    kind: "grant",
    of: ["error-tracking"],
    parts: ["write errors#*#alerts"],
    sometimes: true,
    because: "how a rule's alerts went is forgotten with the rule",
  },
  {
    kind: "grant",
    of: ["billing", "iceberg", "organizations", "keys"],
    parts: ["list over gsi1 organization#*#access#*"],
    because:
      "a member without a level in the whole organization reaches the projects that it was let into, and the shop has owners and members",
  },
  {
    kind: "grant",
    of: ["jobs"],
    parts: [
      "list over gsi1 errors#*#issue#*#fingerprints",
      "list over gsi1 errors#*#issue#*#spikes",
      "list over gsi1 project#*#external-references#*",
    ],
    because: "what belongs to a merged issue is moved by a job where the request that merged it died",
  },
  {
    kind: "grant",
    of: ["jobs", "issue-list"],
    parts: ["list over gsi2: dynamodb:Query", "list over gsi2 project#*#external-references#*"],
    because: "references are listed by the same key over two indexes, and a right names the key",
  },
  {
    kind: "grant",
    of: ["closing"],
    parts: ["list over gsi1: dynamodb:Query", "list over gsi1 organizations"],
    because: "all organizations' days are reported to an upstream billing service, which a stage may have (`-c billingServiceUrl`)",
  },
  {
    kind: "grant",
    of: ["health"],
    parts: ["list over due: dynamodb:Query", "list over due due#*"],
    because: "whether a lane that is late is drained at all is seen by the commits that wait for compaction",
  },

  {
    kind: "grant",
    of: ["billing"],
    parts: ["list over gsi1 organization#*#projects"],
    because: "a member sees the spend of the projects that it reaches, and the shop's callers are owners",
  },
  {
    kind: "grant",
    of: ["endpoint-trials"],
    parts: ["list over gsi1: dynamodb:Query", "list over gsi1 user#*#memberships", "list over gsi1 organization#*#projects"],
    because: "trials are posted, for `@current` as well, which leads over the first membership to the first project",
  },
  {
    kind: "grant",
    of: ["iceberg"],
    parts: ["list over gsi1: dynamodb:Query", "list over gsi1 user#*#memberships", "list over gsi1 organization#*#projects"],
    because: "what a key reaches is the namespaces of the catalogue, where the stage publishes tables (`-c publish=iceberg`)",
  },
  {
    kind: "grant",
    of: ["sweep"],
    parts: ["lambda:InvokeFunction"],
    sometimes: true,
    because: "a table is started by the sweep where whoever asked for it could not start it, and when it is due anew",
  },
  // The lake.
  {
    kind: "grant",
    parts: ["s3:AbortMultipartUpload"],
    beside: ["s3:PutObject"],
    because: "an upload in parts that fails is taken back, or its parts are paid for",
  },
  {
    kind: "grant",
    parts: ["s3:ListBucket"],
    beside: ["s3:GetObject"],
    because: "of an object that is not there the store tells nobody so who may not list: it says forbidden",
  },
  {
    kind: "grant",
    of: ["ingest-live", "iceberg", "issue-list"],
    parts: ["s3:ListBucket", "s3:GetObject"],
    because:
      "what is read of the lake depends on what is in it: messages that point to an object, published tables, files of a state that is large",
  },
  {
    kind: "grant",
    of: ["error-tracking"],
    parts: ["s3:GetObject"],
    because: "a symbol set is looked into where its upload was finished, and lent to whoever downloads it",
  },
  {
    kind: "grant",
    of: ["ingest-live", "jobs"],
    parts: ["s3:GetObject of messages"],
    because: "an event alone that is more than a message holds lies in an object, which an erasure has to look through as well",
  },
  {
    kind: "grant",
    of: ["ingest-live", "ingest-historical", "issue-list"],
    parts: ["s3:GetObject of state"],
    sometimes: true,
    because: "the state of many persons is more than the table's item holds, and goes on in objects",
  },
  {
    kind: "grant",
    of: ["ingest-live"],
    parts: ["s3:PutObject of state"],
    sometimes: true,
    because: "a commit that changes many persons at once puts the changes into an object",
  },
  {
    kind: "grant",
    of: ["ingest-live", "ingest-historical"],
    parts: ["s3:GetObject of symbols"],
    because: "a stack of minified code is named by what was uploaded for it",
  },
  {
    kind: "grant",
    of: ["jobs", "tables", "endpoint-trials", "query", "shared-dashboards"],
    parts: ["s3:GetObject of tables"],
    because: "whoever runs a saved query reads the table that is kept of it, and a table that is made anew goes on from the one before",
  },
  {
    kind: "grant",
    of: ["endpoint-runs", "endpoint-trials", "shared-dashboards", "issue-list", "llm-analytics"],
    parts: ["s3:GetObject of fresh"],
    sometimes: true,
    because: "a query reads what was not compacted yet, which is soon compacted in a rehearsal",
  },
  {
    kind: "grant",
    of: ["issue-list"],
    parts: ["s3:GetObject of events"],
    because: "the list of issues asks events where it is filtered by them",
  },
  {
    kind: "grant",
    of: ["tables", "endpoint-trials"],
    parts: ["s3:DeleteObject"],
    because: "a table that was made for a trial, or in a run that failed or was overtaken, is deleted again",
  },
  {
    kind: "grant",
    of: ["endpoint-trials"],
    parts: ["s3:PutObject", "s3:AbortMultipartUpload"],
    because: "a trial makes a table of a query that can be kept as one",
  },
  {
    kind: "grant",
    of: ["billing"],
    parts: ["s3:PutObject", "s3:AbortMultipartUpload", "s3:GetObject of exports"],
    because: "an export of usage that is too large for an answer is put into the lake, and an address to it is lent",
  },
  {
    kind: "grant",
    of: ["jobs", "sweep"],
    parts: ["s3:DeleteObject of iceberg"],
    because: "published tables are cleaned up where the stage publishes them (`-c publish=iceberg`)",
  },
  {
    kind: "grant",
    of: ["jobs"],
    parts: ["s3:GetObject of iceberg", "s3:PutObject of iceberg"],
    because: "the metadata of published tables are read and written where the stage publishes them (`-c publish=iceberg`)",
  },
  {
    kind: "grant",
    of: ["jobs"],
    parts: [
      "s3:GetObject of results",
      "s3:GetObject of waiting",
      "s3:PutObject of messages",
      "sqs:SendMessage of historicalqueue",
      "sqs:SendMessage of livequeue",
      "sqs:ReceiveMessage",
      "sqs:DeleteMessage",
      "sqs:ReceiveMessage of jobsdeadletters",
      "sqs:ReceiveMessage of historicaldeadletters",
      "sqs:ReceiveMessage of livedeadletters",
    ],
    because: "an erasure takes a person out of everything: of kept results, of requests, and of what lanes gave up on (`-c erasure`)",
  },
  {
    kind: "grant",
    of: ["jobs"],
    parts: ["events", "fresh", "state", "results", "waiting", "exports", "imports", "symbols"].map(
      (folder) => `s3:DeleteObject of ${folder}`,
    ),
    because: "what the lake held of a project is deleted hours after it, and what was replaced only once nobody reads it any more",
  },

  // Queues and metrics.
  {
    kind: "grant",
    of: ["ingest-historical"],
    parts: ["sqs:SendMessage"],
    sometimes: true,
    because: "an import that there is no time for is put off, as live events are",
  },
  {
    kind: "grant",
    of: ["query"],
    parts: ["sqs:SendMessage"],
    because: "an erasure is asked for here, and done by a job (`-c erasure`)",
  },
  {
    kind: "grant",
    of: ["ingest-live", "ingest-historical"],
    parts: ["cloudwatch:PutMetricData"],
    because: "drains with exceptions that could not be read are counted for an alarm",
  },
  {
    kind: "grant",
    of: ["closing", "billing"],
    parts: ["cloudwatch:PutMetricData"],
    because: "payments that somebody has to look at are counted for an alarm",
  },
  {
    kind: "grant",
    of: ["canary"],
    parts: ["cloudwatch:PutMetricData"],
    because: "an event that no query sees is counted for an alarm, where the stage follows one (`-c canary`)",
  },
  {
    kind: "variable",
    of: ["ingest-live", "ingest-historical", "closing", "billing", "canary"],
    parts: ["METRICS_URL", "METRICS_NAMESPACE"],
    because: "where the counts of these functions go, each of which is for an alarm that no good day raises",
  },
  {
    kind: "variable",
    of: ["error-tracking"],
    parts: ["SECRETS_URL"],
    because: "a stage may keep the secrets of integrations in the other store",
  },
  {
    kind: "variable",
    of: ["sweep"],
    parts: ["LAMBDA_URL", "TABLES_FUNCTION"],
    sometimes: true,
    because: "a table is started by the sweep where whoever asked for it could not start it, and when it is due anew",
  },
];
