import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { ConditionFailed, Conflict, TableUnavailable } from "../../ports/table.ts";
import { asTableError, isContention } from "./dynamo-errors.ts";

const canceled = (...codes: readonly string[]) =>
  new TransactionCanceledException({ $metadata: {}, message: "", CancellationReasons: codes.map((Code) => ({ Code })) });

test("a failed condition brings the stored item along as plain values", () => {
  const Item = {
    pk: { S: "p" },
    sk: { S: "s" },
    n: { N: "1.5" },
    yes: { BOOL: true },
    none: { NULL: true },
    list: { L: [{ M: { bytes: { B: new Uint8Array([1]) } } }] },
  };
  const error = asTableError(new ConditionalCheckFailedException({ $metadata: {}, message: "", Item }));
  expect(error).toBeInstanceOf(ConditionFailed);
  expect(error).toMatchObject({
    failed: [0],
    stored: { pk: "p", sk: "s", n: 1.5, yes: true, none: null, list: [{ bytes: new Uint8Array([1]) }] },
  });
});

test("a failed condition in a transaction wins over a meeting, because trying again cannot help", () => {
  const error = canceled("None", "ConditionalCheckFailed", "TransactionConflict");
  expect(isContention(error)).toBe(false);
  expect(asTableError(error)).toMatchObject({ name: "ConditionFailed", failed: [1] });
});

test("a transaction that met another is tried again, and is a conflict in the end", () => {
  const error = canceled("None", "TransactionConflict");
  expect(isContention(error)).toBe(true);
  expect(asTableError(error)).toBeInstanceOf(Conflict);
  expect(isContention(canceled("ThrottlingError"))).toBe(true);
});

test("a transaction that was throttled all the time is for later", () => {
  const error = canceled("None", "ThrottlingError");
  expect(asTableError(error)).toBeInstanceOf(TableUnavailable);
  expect(asTableError(error)).toMatchObject({ cause: error });
});

test("any other error stays what it is", () => {
  const error = canceled("ValidationError");
  expect(isContention(error)).toBe(false);
  expect(asTableError(error)).toBe(error);
});
