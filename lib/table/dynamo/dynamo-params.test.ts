import { expect, test } from "vitest";
import { encodeCursor, putParams, queryParams, transactParams, updateParams } from "./dynamo-params.ts";

const key = { pk: "p", sk: "s" };

test("only what is present is stored, at every depth, bytes as they are", () => {
  const bytes = new Uint8Array([1]);
  const item = { ...key, gone: undefined, map: { gone: undefined, bytes }, list: [{ gone: undefined }] };
  expect(putParams("t", item, undefined)).toEqual({ TableName: "t", Item: { ...key, map: { bytes }, list: [{}] } });
});

test("names and values of an update never touch the expression's text", () => {
  const when = { kind: "all", of: [{ kind: "present" }, { kind: "less", attribute: "name", value: "SET #" }] } as const;
  expect(updateParams("t", key, { set: { name: "a = b", size: 1 }, add: { count: 2 }, remove: ["old"] }, when)).toEqual({
    TableName: "t",
    Key: key,
    UpdateExpression: "SET #0 = :0, #1 = :1 ADD #2 :2 REMOVE #3",
    ConditionExpression: "(attribute_exists(#4) AND #0 < :3)",
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    ExpressionAttributeNames: { "#0": "name", "#1": "size", "#2": "count", "#3": "old", "#4": "pk" },
    ExpressionAttributeValues: { ":0": "a = b", ":1": 1, ":2": 2, ":3": "SET #" },
  });
});

test("a query on an index uses the index's keys, and goes on from its cursor", () => {
  const cursor = encodeCursor({ pk: "a", sk: "b", duepk: "d", duesk: "e" });
  expect(
    queryParams("t", { index: "due", pk: "d", sk: { from: "a", to: "b" }, descending: true, limit: 5, cursor, countOnly: true }),
  ).toEqual({
    TableName: "t",
    IndexName: "due",
    KeyConditionExpression: "#0 = :0 AND #1 BETWEEN :1 AND :2",
    ExpressionAttributeNames: { "#0": "duepk", "#1": "duesk" },
    ExpressionAttributeValues: { ":0": "d", ":1": "a", ":2": "b" },
    ScanIndexForward: false,
    Limit: 5,
    Select: "COUNT",
    ExclusiveStartKey: { pk: "a", sk: "b", duepk: "d", duesk: "e" },
  });
});

test("a range that holds nothing is no call", () => {
  expect(queryParams("t", { pk: "p", sk: { from: "b", to: "a" } })).toBeUndefined();
});

test("each write of a transaction has names of its own, and the token goes along", () => {
  const params = transactParams(
    "t",
    [
      { kind: "put", item: key, when: { kind: "absent" } },
      { kind: "update", key, change: { add: { n: 1 } } },
      { kind: "remove", key },
      { kind: "check", key, when: { kind: "has", attribute: "x" } },
    ],
    "token",
  );
  expect(params.ClientRequestToken).toBe("token");
  expect(params.TransactItems.map((item) => Object.keys(item)[0])).toEqual(["Put", "Update", "Delete", "ConditionCheck"]);
  expect(() => transactParams("t", [{ kind: "update", key, change: {} }], "token")).toThrow("must change something");
});
