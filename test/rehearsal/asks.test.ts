import { expect, test } from "vitest";
import { asks, asksOfMissing, type Facts } from "./asks.ts";
import { allows } from "./rights.ts";

const KEY = "arn:aws:kms:us-east-1:000000000000:key/1";
const facts: Facts = {
  partitionKey: (table, index) => (table === "data" ? { "": "pk", later: "laterpk" }[index ?? ""] : undefined),
  encryptionKey: (name) => (name === "/shop/own" ? KEY : undefined),
};

const asked = (service: string, verb: string, body: object) =>
  asks(
    {
      service,
      method: "POST",
      url: new URL("http://services/"),
      headers: { "x-amz-target": `Service.${verb}` },
      body: Buffer.from(JSON.stringify(body)),
    },
    facts,
  );

const onTable = (verb: string, body: object) =>
  asked("dynamodb", verb, body).map(({ action, resource, context }) => [
    action.replace("dynamodb:", ""),
    resource.replace(/.*:table\//, ""),
    ...(context["dynamodb:LeadingKeys"] ?? []),
  ]);

const text = (S: string) => ({ S });

test("whatever a request does to the table, the partitions that it touches are asked for", () => {
  const key = { pk: text("shop#1"), sk: text("x") };
  expect(onTable("GetItem", { TableName: "data", Key: key })).toEqual([["GetItem", "data", "shop#1"]]);
  const names = { "#0": "laterpk", "#1": "latersk" };
  const values = { ":0": text("due#3"), ":1": text("b") };
  const query = {
    TableName: "data",
    IndexName: "later",
    KeyConditionExpression: "#0 = :0 AND #1 = :1",
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
  expect(onTable("Query", query)).toEqual([["Query", "data/index/later", "due#3"]]);
  expect(onTable("BatchGetItem", { RequestItems: { data: { Keys: [key, { ...key, pk: text("shop#2") }] } } })).toEqual([
    ["BatchGetItem", "data", "shop#1", "shop#2"],
  ]);
  expect(onTable("BatchWriteItem", { RequestItems: { data: [{ PutRequest: { Item: key } }, { DeleteRequest: { Key: key } }] } })).toEqual([
    ["BatchWriteItem", "data", "shop#1", "shop#1"],
  ]);
  const operation = { TableName: "data", Key: key };
  expect(onTable("TransactWriteItems", { TransactItems: [{ Update: operation }, { ConditionCheck: operation }] })).toEqual([
    ["UpdateItem", "data", "shop#1"],
    ["ConditionCheckItem", "data", "shop#1"],
  ]);
  // A condition on all keys of a request would let one pass that names none.
  expect(() => onTable("Query", { ...query, KeyConditionExpression: "#1 = :1" })).toThrow("Query names no laterpk");
});

test("who reads a secret that is encrypted with a key of the account decrypts it as well", () => {
  const [parameter] = asked("ssm", "GetParameter", { Name: "/shop/stripe", WithDecryption: true });
  expect(parameter).toMatchObject({ action: "ssm:GetParameter", resource: "arn:aws:ssm:us-east-1:000000000000:parameter/shop/stripe" });
  const [, decrypted] = asked("ssm", "GetParameters", { Names: ["/shop/own"] });
  expect(decrypted).toMatchObject({
    action: "kms:Decrypt",
    resource: KEY,
    context: { "kms:ViaService": ["ssm.us-east-1.amazonaws.com"] },
  });
  expect(asked("ssm", "GetParametersByPath", { Path: "/shop/" })).toMatchObject([{ action: "ssm:GetParametersByPath" }]);
  const secret = "arn:aws:secretsmanager:us-east-1:000000000000:secret:shop-AbCdEf";
  expect(asked("secretsmanager", "GetSecretValue", { SecretId: secret })).toMatchObject([
    { action: "secretsmanager:GetSecretValue", resource: secret },
  ]);
});

test("conditions hold as policies mean them", () => {
  const holds = (operator: string, wanted: unknown, had: readonly string[] | undefined) => {
    const statement = { Effect: "Allow", Action: "*", Resource: "*", Condition: { [operator]: { key: wanted } } };
    return allows([statement], { action: "a:b", resource: "c", context: had === undefined ? {} : { key: had } });
  };
  expect([holds("StringEquals", "a", ["a"]), holds("StringEquals", "a", ["b"]), holds("StringEquals", "a", undefined)]).toEqual([
    true,
    false,
    false,
  ]);
  expect([holds("StringNotEquals", ["a", "b"], ["b"]), holds("StringNotEquals", "a", undefined)]).toEqual([false, true]);
  expect([holds("StringLikeIfExists", "a*", undefined), holds("StringLikeIfExists", "a*", ["b"])]).toEqual([true, false]);
  expect([holds("ForAllValues:StringLike", "a*", ["ab", "b"]), holds("ForAllValues:StringLike", "a*", undefined)]).toEqual([false, true]);
  expect([holds("ForAnyValue:StringLike", "a*", ["ab", "b"]), holds("ForAnyValue:StringLike", "a*", undefined)]).toEqual([true, false]);
  expect([holds("Null", "true", undefined), holds("Null", "true", ["a"])]).toEqual([true, false]);
  expect(() => holds("IpAddress", "10.0.0.0/8", ["10.0.0.1"])).toThrow("none that the rehearsal knows");
});

test("whoever is told that an object is not there has to be allowed to list", () => {
  const missing = (path: string) =>
    asksOfMissing({ service: "s3", method: "GET", url: new URL(path, "http://services"), headers: {}, body: Buffer.alloc(0) });
  expect(missing("/lake/state/1")).toMatchObject([{ action: "s3:ListBucket", resource: "arn:aws:s3:::lake" }]);
  expect(missing("/lake/")).toEqual([]);
});
