import type { QueueName } from "../lib/ports/queues.ts";
import type { FunctionName } from "./sizing.ts";

/** The first folders of the lake's keys; `lib/lake/catalogue/paths.ts` makes the keys. */
export type Prefix = "messages" | "fresh" | "events" | "state" | "results" | "tables" | "usage" | "exports";

/** What the partition keys of the table begin with, up to and with a `#`, or are; `*` stands for an id. */
type KeyBeginning =
  | "lake#"
  | "errors#"
  | "count#errors#"
  | "usage#"
  | "organization#"
  | "project#"
  | "project#*#accounts"
  | "unique#account#"
  | "key#"
  | "token#"
  | "throttle#"
  | "billing#"
  | "sweep";

/** What one function may do. `uses` of its group or consumer says which parts it has at all; this says how far it may go in them. */
export interface Rights {
  readonly table: "none" | "read" | "write";
  /** How the partition keys begin that it may write to; any where it is left out. */
  readonly writes?: readonly KeyBeginning[];
  readonly sends: readonly QueueName[];
  readonly lake: {
    readonly read: readonly Prefix[];
    readonly write: readonly Prefix[];
    readonly remove: readonly Prefix[];
  };
  /** Puts counts into the metrics of its stack. */
  readonly counts?: true;
  /** Calls the deployment's providers of issues and code. */
  readonly providers?: true;
  /** Sends letters from the stage's own address. */
  readonly mail?: true;
}

const NO_LAKE = { read: [], write: [], remove: [] } as const;

export const RIGHTS: Readonly<Record<FunctionName, Rights>> = {
  capture: { table: "read", sends: ["live", "historical"], lake: { ...NO_LAKE, write: ["messages"] }, counts: true },
  "customer-analytics": { table: "write", sends: [], lake: NO_LAKE },
  billing: { table: "write", sends: [], lake: { read: ["usage", "exports"], write: ["exports"], remove: [] } },
  code: { table: "write", sends: [], lake: NO_LAKE },
  closing: { table: "write", writes: ["billing#"], sends: [], lake: { read: ["usage"], write: [], remove: [] } },
  docs: { table: "none", sends: [], lake: NO_LAKE },
  endpoints: { table: "write", sends: ["jobs"], lake: NO_LAKE },
  // Of a key its time of use, of a project its endpoints' and the places of its runs.
  "endpoint-runs": {
    table: "write",
    writes: ["project#", "key#", "throttle#"],
    sends: [],
    lake: { read: ["fresh", "events", "state", "results", "tables"], write: ["results"], remove: [] },
  },
  "error-tracking": { table: "write", sends: [], lake: NO_LAKE, providers: true },
  keys: { table: "write", sends: [], lake: NO_LAKE },
  "llm-analytics": {
    table: "write",
    writes: ["key#", "throttle#"],
    sends: [],
    lake: { read: ["fresh", "events", "state", "results"], write: ["results"], remove: [] },
  },
  organizations: { table: "write", sends: [], lake: NO_LAKE, mail: true },
  // Groups that are accounts are kept as such.
  "ingest-live": {
    table: "write",
    writes: ["lake#", "errors#", "count#errors#", "project#*#accounts", "unique#account#"],
    sends: ["live"],
    lake: { read: ["messages", "state"], write: ["fresh", "state"], remove: [] },
  },
  "ingest-historical": {
    table: "write",
    writes: ["lake#", "errors#", "count#errors#", "project#*#accounts", "unique#account#"],
    sends: ["historical"],
    lake: { read: ["messages", "state"], write: ["fresh", "state"], remove: [] },
  },
  // A removed organization is deleted with its projects, their keys and accounts; of a project the tables of its saved queries are made.
  jobs: {
    table: "write",
    writes: ["lake#", "usage#", "organization#", "project#", "unique#account#", "key#", "token#"],
    sends: ["jobs"],
    lake: {
      read: ["fresh", "events", "state", "results", "tables", "usage"],
      write: ["events", "state", "tables", "usage"],
      remove: ["fresh", "events", "state", "results", "tables", "usage"],
    },
  },
  "quota-limits": { table: "write", sends: [], lake: NO_LAKE },
  sweep: {
    table: "write",
    writes: ["lake#", "usage#", "organization#", "sweep"],
    sends: ["jobs"],
    lake: { read: ["state", "usage"], write: [], remove: ["fresh", "events", "state"] },
  },
};

export const touchesLake = ({ lake }: Rights): boolean => [lake.read, lake.write, lake.remove].some((prefixes) => prefixes.length > 0);
