import type { QueueName } from "../lib/ports/queues.ts";
import { PARTITIONS, type PartitionName, partitionNames } from "../lib/table/partitions.ts";
import type { FunctionName } from "./sizing.ts";

/** The first folders of the lake's keys; `lib/lake/catalogue/paths.ts` makes the keys. */
export type Prefix = "messages" | "fresh" | "events" | "state" | "results" | "tables" | "usage" | "exports";

/** How far a function may go in the parts of the world that its `uses` names; the parts themselves are said there and nowhere else. */
export interface Rights {
  /** The partitions of the table that it may write to; any where it is left out. */
  readonly writes?: readonly PartitionName[];
  readonly sends?: readonly QueueName[];
  readonly lake?: {
    readonly read?: readonly Prefix[];
    readonly write?: readonly Prefix[];
    readonly remove?: readonly Prefix[];
  };
  /** Has money collected, or asks an upstream billing service. */
  readonly payments?: true;
  /** Calls the deployment's providers of issues and code. */
  readonly providers?: true;
}

/** What ingest makes of exceptions. */
const EXCEPTIONS = [
  "issues",
  "fingerprints",
  "stackFrames",
  "errorTracking",
  "exceptionLimits",
  "exceptionCounts",
  "spikes",
  "silences",
  "issueCount",
  "fingerprintCount",
  "stackFrameCount",
] as const satisfies readonly PartitionName[];

/** The books of a customer. */
const BOOKS = ["billing", "invoices", "payments", "creditUses", "commandReplays"] as const satisfies readonly PartitionName[];

/** Where the removal of an organization, whose partitions are said with the partitions themselves, deletes. */
const ENDING = partitionNames.filter((name) => ["with its organization", "with its project", "looked for"].includes(PARTITIONS[name].fate));

// Groups that are accounts are kept as such.
const INGEST = ["lake", "accounts", "accountIds", ...EXCEPTIONS] as const satisfies readonly PartitionName[];

export const RIGHTS: Readonly<Record<FunctionName, Rights>> = {
  capture: { writes: [], sends: ["live", "historical"], lake: { write: ["messages"] } },
  browser: { writes: [] },
  "customer-analytics": {},
  billing: { lake: { read: ["usage", "exports"], write: ["exports"] }, payments: true },
  code: {},
  closing: { writes: BOOKS, lake: { read: ["usage"] }, payments: true },
  docs: {},
  endpoints: { sends: ["jobs"] },
  // Of a key its time of use, of a project its endpoints', its runs' and their slots.
  "endpoint-runs": {
    writes: ["project", "endpointLog", "keys", "throttle"],
    lake: { read: ["fresh", "events", "state", "results", "tables"], write: ["results"] },
  },
  // A table is made to be compared with the events, read, and removed.
  "endpoint-trials": {
    writes: ["keys", "throttle"],
    lake: { read: ["fresh", "events", "state", "tables"], write: ["tables"], remove: ["tables"] },
  },
  "error-tracking": { providers: true },
  keys: {},
  "llm-analytics": { writes: ["keys", "throttle"], lake: { read: ["fresh", "events", "state", "results"], write: ["results"] } },
  organizations: {},
  "ingest-live": { writes: INGEST, sends: ["live"], lake: { read: ["messages", "state"], write: ["fresh", "state"] } },
  "ingest-historical": { writes: INGEST, sends: ["historical"], lake: { read: ["messages", "state"], write: ["fresh", "state"] } },
  // Of a project the tables of its saved queries are made, and its quotas marked.
  jobs: {
    writes: ["lake", "usage", "tokens", ...ENDING],
    sends: ["jobs"],
    lake: {
      read: ["fresh", "events", "state", "results", "tables", "usage"],
      write: ["events", "state", "tables", "usage"],
      remove: ["fresh", "events", "state", "results", "tables", "usage"],
    },
  },
  "quota-limits": {},
  sweep: {
    writes: ["lake", "usage", "organization", "sweep"],
    sends: ["jobs"],
    lake: { read: ["state", "usage"], remove: ["fresh", "events", "state"] },
  },
};

/** The partition keys that a function may write to, `*` for whatever fills a hole; undefined for any. */
export const writableKeys = ({ writes }: Rights): readonly string[] | undefined => {
  const patterns = [...new Set(writes?.map((name) => PARTITIONS[name].pk.replaceAll(/\{[^}]+\}/g, "*")))];
  return writes && patterns.filter((pattern) => !patterns.some((wider) => wider !== pattern && isWithin(pattern, wider)));
};

/** Whether a pattern that ends in `*` takes in all that another does. */
const isWithin = (pattern: string, wider: string): boolean =>
  wider.endsWith("*") && pattern.startsWith(wider.slice(0, -1)) && !wider.slice(0, -1).includes("*");

export const touchesLake = ({ lake }: Rights): boolean => lake !== undefined;
