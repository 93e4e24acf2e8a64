import * as z from "zod";
import type { Ask } from "./rights.ts";
import { ACCOUNT, REGION } from "./template.ts";

/** A request of a service as the rehearsal's front received it. */
export interface ServiceRequest {
  readonly service: string;
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Conditions of resource policies look at how a request came: over TLS, as the addresses in the environment say. */
const TRANSPORT = { "aws:SecureTransport": ["true"], "s3:TlsVersion": ["1.3"], "aws:SourceAccount": [ACCOUNT] } as const;

const arn = (service: string, resource: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${resource}`;

/** What a stage says of who may do what, besides policies. */
export interface Facts {
  /** The attribute that partitions a table or one of its indexes. */
  partitionKey(table: string, index?: string): string | undefined;
  /** The key of the account's own with which a parameter or a secret is encrypted; undefined where it is the service's. */
  encryptionKey(name: string): string | undefined;
}

const Attribute = z.object({ S: z.string() });
const Item = z.record(z.string(), z.unknown());
const Operation = z.object({
  TableName: z.string(),
  IndexName: z.string().optional(),
  Key: Item.optional(),
  Item: Item.optional(),
  KeyConditionExpression: z.string().optional(),
  ExpressionAttributeNames: z.record(z.string(), z.string()).default({}),
  ExpressionAttributeValues: Item.default({}),
});
type Operation = z.output<typeof Operation>;
const Transaction = z.object({ TransactItems: z.array(z.record(z.string(), Operation)) });
const Write = z.object({ PutRequest: z.object({ Item }).optional(), DeleteRequest: z.object({ Key: Item }).optional() });
const Batch = z.object({ RequestItems: z.record(z.string(), z.union([z.object({ Keys: z.array(Item) }), z.array(Write)])) });

const WITHIN_TRANSACTIONS: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
  Get: "GetItem",
};

const text = (value: unknown): readonly string[] => {
  const found = Attribute.safeParse(value);
  return found.success ? [found.data.S] : [];
};

/** The value that a condition of a query asks of the partition key: `#name = :value`, between other conditions. */
const queried = ({ KeyConditionExpression = "", ...given }: Operation, partitionKey: string): readonly string[] =>
  KeyConditionExpression.split(/\s+AND\s+/i).flatMap((condition) => {
    const [, name = "", value = ""] = /^\(?\s*([#\w]+)\s*=\s*(:\w+)\s*\)?$/.exec(condition.trim()) ?? [];
    return (given.ExpressionAttributeNames[name] ?? name) === partitionKey ? text(given.ExpressionAttributeValues[value]) : [];
  });

/** Operations that read a whole table ask for no key in particular. */
const KEYLESS = ["Scan", "DescribeTable"];

const tableAsks = (verb: string, body: unknown, facts: Facts): readonly Ask[] => {
  const ask = (action: string, { TableName, IndexName }: Pick<Operation, "TableName" | "IndexName">, keys: readonly string[]): Ask => ({
    action: `dynamodb:${action}`,
    resource: arn("dynamodb", `table/${TableName}${IndexName === undefined ? "" : `/index/${IndexName}`}`),
    context: { ...TRANSPORT, "dynamodb:LeadingKeys": keys },
  });
  const one = (action: string, operation: Operation): Ask => {
    const partitionKey = facts.partitionKey(operation.TableName, operation.IndexName);
    if (partitionKey === undefined) throw new Error(`the templates have no ${operation.TableName} ${operation.IndexName ?? ""}`);
    const item = operation.Key ?? operation.Item;
    const keys = item === undefined ? queried(operation, partitionKey) : text(item[partitionKey]);
    // With no key at all a condition on all of them would hold.
    if (keys.length === 0 && !KEYLESS.includes(action)) throw new Error(`${action} names no ${partitionKey}`);
    return ask(action, operation, keys);
  };
  if (verb.startsWith("Transact"))
    return Transaction.parse(body).TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, operation]) => one(WITHIN_TRANSACTIONS[kind] ?? kind, operation)),
    );
  if (verb.startsWith("Batch"))
    return Object.entries(Batch.parse(body).RequestItems).map(([TableName, items]) => {
      const keys = Array.isArray(items) ? items.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key) : items.Keys;
      const partitionKey = facts.partitionKey(TableName) ?? "";
      return ask(
        verb,
        { TableName },
        keys.flatMap((key) => text(key?.[partitionKey])),
      );
    });
  return [one(verb, Operation.parse(body))];
};

const Named = z.object({ QueueUrl: z.string() });

const queueAsks = (verb: string, body: unknown): readonly Ask[] => {
  const name = Named.parse(body).QueueUrl.split("/").at(-1) ?? "";
  // The right to send, to delete and to hide covers the batches of each.
  return [{ action: `sqs:${verb.replace(/Batch$/, "")}`, resource: arn("sqs", name), context: TRANSPORT }];
};

const OBJECT_VERBS: Readonly<Record<string, string>> = {
  GET: "GetObject",
  HEAD: "GetObject",
  PUT: "PutObject",
  POST: "PutObject",
  DELETE: "DeleteObject",
};

const objectAsks = ({ method, url, body }: ServiceRequest): readonly Ask[] => {
  const [, bucket = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const key = rest.join("/");
  const named = `arn:aws:s3:::${bucket}`;
  const ask = (action: string, resource: string): Ask => ({ action: `s3:${action}`, resource, context: TRANSPORT });
  if (url.searchParams.has("delete"))
    return [...body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, each]) => ask("DeleteObject", `${named}/${each}`));
  const [, posted] = method === "POST" && key === "" ? (/name="key"\r\n\r\n([^\r]+)/.exec(body.toString("latin1")) ?? []) : [];
  if (posted !== undefined) return [ask("PutObject", `${named}/${posted}`)];
  if (key === "") return [ask("ListBucket", named)];
  if (method === "DELETE" && url.searchParams.has("uploadId")) return [ask("AbortMultipartUpload", `${named}/${key}`)];
  return [ask(OBJECT_VERBS[method] ?? method, `${named}/${key}`)];
};

/** What the store asks for besides before it says that something is not there: whoever may not list is told that it is forbidden. */
export const asksOfMissing = ({ service, url }: ServiceRequest): readonly Ask[] => {
  const [, bucket = "", key = ""] = url.pathname.split("/");
  return service === "s3" && key !== "" ? [{ action: "s3:ListBucket", resource: `arn:aws:s3:::${bucket}`, context: TRANSPORT }] : [];
};

const Asked = z.object({
  Name: z.string().optional(),
  Names: z.array(z.string()).default([]),
  Path: z.string().optional(),
  SecretId: z.string().optional(),
});

/** The address of a parameter or of a secret, which may be named by it. */
const secretArn = (service: string, name: string): string =>
  name.startsWith("arn:") ? name : arn(service, service === "ssm" ? `parameter/${name.replace(/^\//, "")}` : `secret:${name}`);

/** Parameters and secrets: whoever reads one that is encrypted with a key of the account decrypts it as well. */
const secretAsks = (service: string, verb: string, body: unknown, facts: Facts): readonly Ask[] => {
  const { Name, Names, Path, SecretId } = Asked.parse(body);
  return [...Names, Name ?? Path ?? SecretId ?? []].flat().flatMap((name) => {
    const key = facts.encryptionKey(name);
    const read: Ask = { action: `${service}:${verb}`, resource: secretArn(service, name), context: TRANSPORT };
    if (key === undefined) return [read];
    const via = { "kms:ViaService": [`${service}.${REGION}.amazonaws.com`] };
    return [read, { action: verb.startsWith("Put") ? "kms:Encrypt" : "kms:Decrypt", resource: key, context: { ...TRANSPORT, ...via } }];
  });
};

/** All that a request asks for: a transaction asks for each of its writes. */
export const asks = (request: ServiceRequest, facts: Facts): readonly Ask[] => {
  const { service, url, headers, body } = request;
  const verb = headers["x-amz-target"]?.split(".").at(-1) ?? "";
  if (service === "dynamodb") return tableAsks(verb, JSON.parse(body.toString()), facts);
  if (service === "sqs") return queueAsks(verb, JSON.parse(body.toString()));
  if (service === "s3") return objectAsks(request);
  if (service === "ssm" || service === "secretsmanager") return secretAsks(service, verb, JSON.parse(body.toString()), facts);
  if (service === "lambda") {
    const called = url.pathname.split("/")[3] ?? "";
    return [{ action: "lambda:InvokeFunction", resource: arn("lambda", `function:${called.split(":").at(-1)}`), context: TRANSPORT }];
  }
  const form = new URLSearchParams(body.toString());
  if (service === "monitoring") {
    const namespace = form.get("Namespace") ?? "";
    return [{ action: "cloudwatch:PutMetricData", resource: "*", context: { ...TRANSPORT, "cloudwatch:namespace": [namespace] } }];
  }
  return [{ action: `${service}:${verb || form.get("Action")}`, resource: form.get("RoleArn") ?? "*", context: TRANSPORT }];
};
