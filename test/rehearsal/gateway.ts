import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip, inflate } from "node:zlib";
import { type Functions, functionName } from "./functions.ts";
import { flat, portOf, stop } from "./services.ts";
import { ACCOUNT, type Made, type MadeStage, REGION } from "./template.ts";

/** A REST API behind an address of this machine. */
export interface Gateway {
  readonly name: string;
  /** With the stage's path, without a slash at its end. */
  readonly url: string;
  /** Takes on what the templates say now. */
  replace(stage: MadeStage): void;
  stop(): Promise<void>;
}

export interface GatewayOptions {
  /** How much longer than on AWS an answer may take. */
  readonly patience: number;
  /** Whether bodies are unpacked before anything else is done with them, as the service's gateways do. */
  readonly decompresses: boolean;
  /** Told the id of each method that is called. */
  used(id: string): void;
}

const MAX_HEADER_BYTES = 10_240;
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const INTEGRATION_MS = 29_000;

interface Place {
  readonly path: string;
  readonly children: Map<string, Place>;
  readonly methods: Map<string, Made>;
}

interface Found {
  readonly place: Place;
  readonly parameters: Readonly<Record<string, string>>;
}

const decompress: Readonly<Record<string, (bytes: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
};

/** A REST API of the templates: its resources, methods, gateway responses and the permissions of the functions that it calls. */
export const startGateway = async (
  first: MadeStage,
  api: Made,
  functions: Functions,
  { patience, decompresses, used }: GatewayOptions,
): Promise<Gateway> => {
  let { root, stageName, replies, permitted } = deployment(first, api);

  const refuse = (outgoing: ServerResponse, type: string, status: number): void => {
    const reply = replies.get(type) ?? replies.get(status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX");
    const headers = Object.entries(reply?.ResponseParameters ?? {}).map(([name, value]) => [
      name.replace("gatewayresponse.header.", ""),
      String(value).replaceAll(/^'|'$/g, ""),
    ]);
    outgoing.writeHead(Number(reply?.StatusCode ?? status), { "content-type": "application/json", ...Object.fromEntries(headers) });
    outgoing.end(reply?.ResponseTemplates?.["application/json"] ?? JSON.stringify({ message: type }));
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const [path = "/", search = ""] = splitOnce(incoming.url ?? "/", "?");
    const sent = await buffer(incoming);
    const headBytes = incoming.rawHeaders.reduce((sum, text) => sum + text.length, incoming.url?.length ?? 0);
    if (headBytes > MAX_HEADER_BYTES) return refuse(outgoing, "DEFAULT_4XX", 413);
    if (path !== `/${stageName}` && !path.startsWith(`/${stageName}/`)) return refuse(outgoing, "MISSING_AUTHENTICATION_TOKEN", 403);
    const within = path.slice(stageName.length + 1) || "/";
    const found = findPlace(
      root,
      within.split("/").filter((part) => part !== ""),
    );
    const method = found?.place.methods.get(incoming.method ?? "GET") ?? found?.place.methods.get("ANY");
    if (found === undefined || method === undefined) return refuse(outgoing, "MISSING_AUTHENTICATION_TOKEN", 403);
    if (sent.length > MAX_BODY_BYTES) return refuse(outgoing, "REQUEST_TOO_LARGE", 413);
    const encoding = (incoming.headers["content-encoding"] ?? "identity").toLowerCase();
    const decoder = decompress[encoding];
    if (encoding !== "identity" && encoding !== "" && decoder === undefined) return refuse(outgoing, "UNSUPPORTED_MEDIA_TYPE", 415);
    // Bytes that are not what the header says are handed on as they are.
    const body = decoder === undefined || !decompresses ? sent : await decoder(sent).catch(() => sent);
    if (body.length > MAX_BODY_BYTES) return refuse(outgoing, "REQUEST_TOO_LARGE", 413);
    used(method.id);
    const called = functionName(method.properties.Integration.Uri);
    if (!permitted(called)) return refuse(outgoing, "DEFAULT_5XX", 500);
    const binary = takesBytes(api, incoming.headers["content-type"] ?? "application/json");
    const event = proxyEvent(incoming, { api, stageName, path: within, search, found, body, binary });
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => late.resolve(undefined), INTEGRATION_MS * patience);
    const outcome = await Promise.race([functions.invoke(called, event), late.promise]);
    clearTimeout(timer);
    if (outcome === undefined) return refuse(outgoing, "INTEGRATION_TIMEOUT", 504);
    if (!outcome.ok) {
      if (outcome.kind === "too large" && outcome.reason === "the event is too large") return refuse(outgoing, "REQUEST_TOO_LARGE", 413);
      return refuse(outgoing, "INTEGRATION_FAILURE", outcome.kind === "throttled" ? 500 : 502);
    }
    sendReply(outgoing, JSON.parse(outcome.json));
  };

  const server = createServer({ maxHeaderSize: 64 * 1024 }, (incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => refuse(outgoing, "DEFAULT_5XX", 500));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const replace = (stage: MadeStage): void => {
    ({ root, stageName, replies, permitted } = deployment(stage, api));
  };
  return { name: api.properties.Name, replace, url: `http://127.0.0.1:${portOf(server)}/${stageName}`, stop: () => stop(server) };
};

/** What the templates say of an API, ready to be looked up. */
const deployment = (stage: MadeStage, api: Made) => {
  const own = (type: string): readonly Made[] => stage.of(type).filter(({ properties }) => properties.RestApiId === api.ref);
  const [deployed] = own("AWS::ApiGateway::Stage");
  if (deployed === undefined) throw new Error(`${api.id} has no stage`);
  return {
    root: resourceTree(api, own("AWS::ApiGateway::Resource"), own("AWS::ApiGateway::Method")),
    stageName: String(deployed.properties.StageName),
    replies: new Map(own("AWS::ApiGateway::GatewayResponse").map(({ properties }) => [properties.ResponseType, properties])),
    permitted: permissions(stage, api),
  };
};

const splitOnce = (text: string, mark: string): readonly string[] => {
  const at = text.indexOf(mark);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

const resourceTree = (api: Made, resources: readonly Made[], methods: readonly Made[]): Place => {
  const root: Place = { path: "/", children: new Map(), methods: new Map() };
  const places = new Map<string, Place>();
  const place = (id: string): Place => {
    if (id === `${api.id}-root`) return root;
    const known = places.get(id);
    if (known !== undefined) return known;
    const declared = resources.find(({ ref }) => ref === id);
    if (declared === undefined) throw new Error(`${api.id}: there is no resource ${id}`);
    const { ParentId, PathPart } = declared.properties;
    const parent = place(ParentId);
    const rivals = [...parent.children.keys()].filter((part) => part.startsWith("{") && !part.endsWith("+}"));
    if (/^\{[^+]*\}$/.test(PathPart) && rivals.length > 0) throw new Error(`${api.id}: ${parent.path} has two names for a place`);
    const made: Place = { path: `${parent.path === "/" ? "" : parent.path}/${PathPart}`, children: new Map(), methods: new Map() };
    parent.children.set(PathPart, made);
    places.set(id, made);
    return made;
  };
  for (const { ref } of resources) place(ref);
  for (const method of methods) place(method.properties.ResourceId).methods.set(method.properties.HttpMethod, method);
  return root;
};

/** What no text was encoded to stays as it was sent. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The most exact resource: a name before a hole, and a hole before a tail. */
const findPlace = (from: Place, [part, ...rest]: readonly string[], parameters: Found["parameters"] = {}): Found | undefined => {
  if (part === undefined) return { place: from, parameters };
  const named = from.children.get(part);
  const exact = named && findPlace(named, rest, parameters);
  if (exact) return exact;
  for (const [name, child] of from.children) {
    if (!name.startsWith("{") || name.endsWith("+}")) continue;
    const found = findPlace(child, rest, { ...parameters, [name.slice(1, -1)]: decoded(part) });
    if (found) return found;
  }
  for (const [name, child] of from.children)
    if (name.endsWith("+}")) return { place: child, parameters: { ...parameters, [name.slice(1, -2)]: [part, ...rest].join("/") } };
  return undefined;
};

/** Which functions let this API call them. */
const permissions = (stage: MadeStage, api: Made): ((name: string) => boolean) => {
  const source = `arn:aws:execute-api:${REGION}:${ACCOUNT}:${api.ref}/`;
  const named = stage
    .of("AWS::Lambda::Permission")
    .filter(({ properties }) => properties.Principal === "apigateway.amazonaws.com" && properties.SourceArn.startsWith(source))
    .map(({ properties }) => functionName(properties.FunctionName));
  return (name) => named.includes(name);
};

const takesBytes = (api: Made, type: string): boolean =>
  (api.properties.BinaryMediaTypes ?? []).some((taken: string) => taken === "*/*" || taken === type.split(";")[0]?.trim());

interface Proxied {
  readonly api: Made;
  readonly stageName: string;
  readonly path: string;
  readonly search: string;
  readonly found: Found;
  readonly body: Buffer;
  readonly binary: boolean;
}

const proxyEvent = (incoming: IncomingMessage, { api, stageName, path, search, found, body, binary }: Proxied): object => {
  const query = [...new URLSearchParams(search)];
  const values = (entries: readonly (readonly [string, readonly string[] | undefined])[]) => Object.fromEntries(entries);
  const grouped = Object.groupBy(query, ([name]) => name);
  return {
    resource: found.place.path,
    path,
    httpMethod: incoming.method,
    headers: flat(incoming.headers),
    multiValueHeaders: { ...values(Object.entries(incoming.headersDistinct)), "X-Forwarded-Proto": ["https"] },
    queryStringParameters: query.length === 0 ? null : Object.fromEntries(query),
    multiValueQueryStringParameters:
      query.length === 0 ? null : values(Object.entries(grouped).map(([name, pairs]) => [name, pairs?.map(([, value]) => value)])),
    pathParameters: Object.keys(found.parameters).length === 0 ? null : found.parameters,
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT,
      apiId: api.ref,
      domainName: `${api.ref}.execute-api.${REGION}.amazonaws.com`,
      httpMethod: incoming.method,
      identity: { sourceIp: "127.0.0.1", userAgent: incoming.headers["user-agent"] ?? null },
      path: `/${stageName}${path === "/" ? "" : path}`,
      protocol: "HTTP/1.1",
      requestId: randomUUID(),
      resourcePath: found.place.path,
      stage: stageName,
    },
    body: body.length === 0 ? null : body.toString(binary ? "base64" : "utf8"),
    isBase64Encoded: binary && body.length > 0,
  };
};

interface ProxyReply {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const sendReply = (outgoing: ServerResponse, reply: ProxyReply): void => {
  outgoing.statusCode = reply.statusCode;
  for (const [name, value] of Object.entries(reply.headers ?? {})) outgoing.setHeader(name, value);
  for (const [name, list] of Object.entries(reply.multiValueHeaders ?? {})) outgoing.setHeader(name, list);
  outgoing.end(Buffer.from(reply.body ?? "", reply.isBase64Encoded ? "base64" : "utf8"));
};
