import type { QueueName } from "../lib/ports/queues.ts";
import type { FunctionName } from "./sizing.ts";

/** The first folders of the lake's keys; `lib/lake/catalogue/paths.ts` makes the keys. */
export type Prefix = "messages" | "fresh" | "events" | "state" | "results" | "usage";

/** What one function may do. `uses` of its group or consumer says which parts it has at all; this says how far it may go in them. */
export interface Rights {
  readonly table: "none" | "read" | "write";
  readonly sends: readonly QueueName[];
  readonly lake: {
    readonly read: readonly Prefix[];
    readonly write: readonly Prefix[];
    readonly remove: readonly Prefix[];
  };
  /** Puts counts into the metrics of its stack. */
  readonly counts?: true;
}

const NO_LAKE = { read: [], write: [], remove: [] } as const;

export const RIGHTS: Readonly<Record<FunctionName, Rights>> = {
  capture: { table: "read", sends: ["live", "historical"], lake: { ...NO_LAKE, write: ["messages"] }, counts: true },
  billing: { table: "write", sends: [], lake: { read: ["usage"], write: [], remove: [] } },
  code: { table: "write", sends: [], lake: NO_LAKE },
  docs: { table: "none", sends: [], lake: NO_LAKE },
  endpoints: { table: "write", sends: [], lake: NO_LAKE },
  "endpoint-runs": {
    table: "write",
    sends: [],
    lake: { read: ["fresh", "events", "state", "results"], write: ["results"], remove: [] },
  },
  "error-tracking": { table: "write", sends: [], lake: NO_LAKE },
  "ingest-live": { table: "write", sends: ["live"], lake: { read: ["messages", "state"], write: ["fresh", "state"], remove: [] } },
  "ingest-historical": {
    table: "write",
    sends: ["historical"],
    lake: { read: ["messages", "state"], write: ["fresh", "state"], remove: [] },
  },
  jobs: {
    table: "write",
    sends: ["jobs"],
    lake: {
      read: ["fresh", "events", "state", "results", "usage"],
      write: ["events", "state", "usage"],
      remove: ["fresh", "events", "state", "results", "usage"],
    },
  },
  "quota-limits": { table: "write", sends: [], lake: NO_LAKE },
  sweep: { table: "write", sends: ["jobs"], lake: { read: ["state", "usage"], write: [], remove: ["fresh", "events", "state"] } },
};

export const touchesLake = ({ lake }: Rights): boolean => [lake.read, lake.write, lake.remove].some((prefixes) => prefixes.length > 0);
