import { TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { isThrottlingError, isTransientError } from "@smithy/core/retry";
import { ConditionFailed, Conflict, type Item, TableUnavailable } from "../../ports/table.ts";
import { asItem } from "./dynamo-params.ts";

/** Errors are told apart by name and reason code only: the texts differ between DynamoDB and its embedded stand-ins. */

/** Another transaction is at the same items, or the same one is still running: another try may succeed. */
export const isContention = (error: unknown): boolean => {
  const name = error instanceof Error ? error.name : "";
  if (name === "TransactionConflictException" || name === "TransactionInProgressException") return true;
  return error instanceof TransactionCanceledException && !codes(error).includes(FAILED) && codes(error).some((code) => PASSING.has(code));
};

/** The port's error for one of DynamoDB's, or the same error where the port has none. */
export const asTableError = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
  if (error.name === "ConditionalCheckFailedException") return new ConditionFailed([0], storedItem(error));
  if (error.name === "TransactionConflictException") return new Conflict("a transaction is at the item");
  if (!(error instanceof TransactionCanceledException)) return isAway(error as ClientError) ? unavailable(error) : error;
  const failed = codes(error).flatMap((code, at) => (code === FAILED ? [at] : []));
  if (failed.length > 0) return new ConditionFailed(failed);
  if (codes(error).includes(MET)) return new Conflict("another transaction is at one of the items");
  return isContention(error) ? unavailable(error) : error;
};

/** What the client tries again by itself. When it gets here all tries are used up. */
const isAway = (error: ClientError): boolean => isThrottlingError(error) || isTransientError(error);

/** An error as the client looks at it: it may have more than every error has. */
type ClientError = Parameters<typeof isTransientError>[0];

const unavailable = (cause: Error): TableUnavailable => new TableUnavailable(`the table does not answer: ${cause.name}`, { cause });

const FAILED = "ConditionalCheckFailed";
const MET = "TransactionConflict";
const PASSING: ReadonlySet<string> = new Set([MET, "ThrottlingError", "ProvisionedThroughputExceeded"]);

const codes = (error: TransactionCanceledException): readonly string[] =>
  (error.CancellationReasons ?? []).map((reason) => reason.Code ?? "None");

const storedItem = (error: Error): Item | undefined => {
  const item = "Item" in error ? error.Item : undefined;
  return isRecord(item) ? asItem(Object.fromEntries(Object.entries(item).map(([name, value]) => [name, plain(value)]))) : undefined;
};

/** An attribute value of the wire as a plain one: the document client leaves those inside an error as they came. */
const plain = (value: unknown): unknown => {
  if (!isRecord(value)) return undefined;
  const [[kind, inner] = ["", undefined]] = Object.entries(value);
  if (kind === "N") return Number(inner);
  if (kind === "NULL") return null;
  if (kind === "L" && Array.isArray(inner)) return inner.map(plain);
  if (kind === "M" && isRecord(inner)) return Object.fromEntries(Object.entries(inner).map(([name, each]) => [name, plain(each)]));
  return inner;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;
