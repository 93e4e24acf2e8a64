import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** Tries of one call on throttles, timeouts and broken connections, with the client's own growing waits between them. */
const CALL_ATTEMPTS = 4;

/** A call takes single milliseconds; these only end those that hang. A transaction of a hundred items stays far below. */
const CONNECT_TIMEOUT_MS = 1_000;
const REQUEST_TIMEOUT_MS = 3_000;

/** The document client with its budget of retries and time; `config` names the region, or an endpoint and its credentials. */
export const documentClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient => {
  const client = new DynamoDBClient({
    maxAttempts: CALL_ATTEMPTS,
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, throwOnRequestTimeout: true },
    ...config,
  });
  // It copies all that is sent and received, without what is secret, for a log that there is not.
  client.middlewareStack.remove("loggerMiddleware");
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
};

/** The client of an embedded table, which insists on credentials, looks at none of them, and asks nobody who calls. */
export const embeddedClient = (endpoint: string): DynamoDBDocumentClient => {
  const client = documentClient({
    endpoint,
    region: "local",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    signer: { sign: async (request) => Object.assign(request, { headers: { ...request.headers, ...SIGNATURE } }) },
  });
  client.middlewareStack.remove("getUserAgentMiddleware");
  return client;
};

/** It is as good as a true one to an embedded table; making those is a quarter of what a call costs. */
const SIGNATURE = {
  authorization: "AWS4-HMAC-SHA256 Credential=local/20000101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=0",
  "x-amz-date": "20000101T000000Z",
};
