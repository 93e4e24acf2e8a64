import type { InvocableName } from "../ports/invocations.ts";
import type { QueueName } from "../ports/queues.ts";
import type { ListKey, PartitionName } from "../table/partitions.ts";

/** The first folders of the lake's keys; `lib/lake/paths.ts` makes the keys. */
export type Prefix =
  | "messages"
  | "fresh"
  | "events"
  | "state"
  | "results"
  | "waiting"
  | "tables"
  | "usage"
  | "exports"
  | "iceberg"
  | "symbols"
  | "imports";

export interface ObjectUse {
  readonly read?: readonly Prefix[];
  readonly write?: readonly Prefix[];
  readonly remove?: readonly Prefix[];
}

/** What a function does with the table. To write is not to read, and to read is not to list. */
export interface TableUse {
  /** The partitions that it reads by their own keys. */
  readonly read: readonly PartitionName[];
  /** What it lists over the indexes. */
  readonly lists?: readonly ListKey[];
  /** The partitions that it writes to. */
  readonly write?: readonly PartitionName[];
  /** Deletes items there, too. */
  readonly removes?: true;
  /** Holds items there to a condition in its transactions, and leaves them as they are. */
  readonly checks?: true;
}

/**
 * The parts of the world that a function may touch, and how far it may go in each: those that cost a client, a right or a bundle's size.
 * Its role, its environment, its bundle and its memory follow from this and are said nowhere else.
 */
export interface Uses {
  readonly table?: TableUse;
  /** The queues that it may send to. */
  readonly queues?: readonly QueueName[];
  /** The functions that it may start. */
  readonly invocations?: readonly InvocableName[];
  /** Asks how many messages the queues and their dead letters hold. */
  readonly queueDepths?: true;
  /** Takes dead letters out of their queues; `queues` says where it may send them to. */
  readonly deadLetters?: true;
  readonly objects?: ObjectUse;
  /** Lends keys to the files of the open tables. */
  readonly fileAccess?: true;
  /** Lists published tables where other services of the account look for them. */
  readonly tableRegistry?: true;
  readonly engine?: true;
  readonly counts?: true;
  readonly mail?: true;
  readonly model?: true;
  /** Reads the keys of integrations' tokens. */
  readonly tokenKeys?: true;
}

export type Part = keyof Uses;

/** Settings of the deployment that only some functions get, since most of them are secrets. */
export type SettingGroup =
  | "payments"
  | "providers"
  | "billing service"
  | "billing license"
  | "spend"
  | "canary"
  | "file size"
  | "publishing"
  | "erasure"
  | "webhooks"
  | "symbol sets";

/** The needs of the function that a group, a consumer or a schedule becomes. */
export interface FunctionNeeds {
  readonly name: string;
  readonly uses: Uses;
  readonly settings?: readonly SettingGroup[];
  /** Where it needs other memory than its parts do: a whole core comes with 1,769 MB. */
  readonly memoryMb?: number;
  /** Where it works for longer, or shorter, than a request may take. */
  readonly timeoutSeconds?: number;
  /** The file that exports `handler`, where it is not the one in the folder of its name. */
  readonly handler?: string;
}
