import { router } from "../../lib/http/router.ts";

/** The beginning of every path of the catalogue; clients are given what stands before the version. */
export const BEGINNING = "/iceberg/v1/";

/** What the catalogue answers. */
export type Operation =
  | "config"
  | "token"
  | "list namespaces"
  | "load namespace"
  | "namespace exists"
  | "list tables"
  | "load table"
  | "table exists"
  | "load credentials"
  | "report metrics";

type Offer = Readonly<Record<string, Operation>>;

const NAMESPACE = "namespaces/{namespace}";
const TABLE = `${NAMESPACE}/tables/{table}`;

const OFFERS: readonly { readonly path: string; readonly value: Offer }[] = [
  { path: "config", value: { GET: "config" } },
  { path: "oauth/tokens", value: { POST: "token" } },
  { path: "namespaces", value: { GET: "list namespaces" } },
  { path: NAMESPACE, value: { GET: "load namespace", HEAD: "namespace exists" } },
  { path: `${NAMESPACE}/tables`, value: { GET: "list tables" } },
  { path: TABLE, value: { GET: "load table", HEAD: "table exists" } },
  { path: `${TABLE}/credentials`, value: { GET: "load credentials" } },
  { path: `${TABLE}/metrics`, value: { POST: "report metrics" } },
];

const offerAt = router(OFFERS.map(({ path, value }) => ({ path: BEGINNING + path, value })));

/** What a request asks for; its operation is undefined where its path has none of its method. */
export const requestedOperation = (method: string, path: string) => {
  const match = offerAt(path);
  return { operation: match?.value[method], params: match?.params ?? {} };
};

/** The operations on what the catalogue holds, as its configuration tells clients, so that they ask for nothing else. */
export const ENDPOINTS: readonly string[] = OFFERS.filter(({ path }) => path.startsWith("namespaces")).flatMap(({ path, value }) =>
  Object.keys(value).map((method) => `${method} /v1/{prefix}/${path}`),
);

/** Bytes of a credential or of a report, which is not looked at. */
const MAX_BODY_BYTES = 1024 * 1024;

export const bodyBytes = (method: string, path: string): number =>
  method === "POST" && requestedOperation(method, path).operation !== undefined ? MAX_BODY_BYTES : 0;
