import type { World } from "../../lib/app/world.ts";
import type { PersonalCaller } from "../../lib/auth/callers.ts";
import { readerKey } from "../../lib/auth/reader-access.ts";
import { type HttpReply, type HttpRequest, queryValue } from "../../lib/http/request.ts";
import { errorReply, noSuchPath, readOnly } from "./errors.ts";
import { listNamespaces, namespaceBody, namespaceProject } from "./namespaces.ts";
import { ENDPOINTS, type Operation, requestedOperation } from "./paths.ts";
import { findTable, listTables, loadedTable, tableCredentials } from "./tables.ts";
import { oauthRefusal, presentedSecret, tokenBody } from "./token.ts";

/** Answers the requests of the catalogue's clients: every error in the form of their standard, so that they tell it to their users. */
export const serve = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const reply = await answer(request, world).catch(errorReply);
  return request.method === "HEAD" ? { ...reply, body: "" } : reply;
};

const answer = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const { operation, params } = requestedOperation(request.method, request.path);
  if (operation === "token") return token(request, world);
  const caller = await admitted(request, world);
  if (operation === undefined) throw isReading(request) ? noSuchPath() : readOnly();
  return catalogueReply(operation, params, { request, world, caller });
};

const isReading = ({ method }: HttpRequest): boolean => method === "GET" || method === "HEAD";

const access = readerKey("query:read");

/** The person whose key the header presents, once the request is counted. Throws 401, 403 and 429. */
const admitted = async (request: HttpRequest, world: World): Promise<PersonalCaller> => {
  const identity = await access.identify({ request, params: {}, query: {}, peek: () => undefined }, world);
  const admission = await identity.admit("default");
  await admission.throttle();
  return admission.grant.caller;
};

/** A key that is taken here is its own token. */
const token = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const key = presentedSecret(request);
  try {
    await admitted({ ...request, headers: { authorization: `Bearer ${key}` } }, world);
  } catch (thrown) {
    throw oauthRefusal(thrown);
  }
  return json(tokenBody(key));
};

interface AdmittedRequest {
  readonly request: HttpRequest;
  readonly world: World;
  readonly caller: PersonalCaller;
}

const catalogueReply = async (
  operation: Exclude<Operation, "token">,
  { namespace = "", table = "" }: Readonly<Record<string, string>>,
  { request, world, caller }: AdmittedRequest,
): Promise<HttpReply> => {
  const project = () => namespaceProject(world, caller, namespace);
  const found = async () => findTable(world, await project(), table);
  switch (operation) {
    case "config":
      return json(CONFIG);
    case "list namespaces": {
      const [parent, pageToken, pageSize] = ["parent", "pageToken", "pageSize"].map((name) => queryValue(request, name));
      return json(await listNamespaces(world, caller, { parent, pageToken, pageSize }));
    }
    case "load namespace":
      return json(namespaceBody(await project()));
    case "namespace exists":
      await project();
      return NO_CONTENT;
    case "list tables":
      return json(await listTables(world, await project()));
    case "load table":
      return jsonText(await loadedTable(world, await found(), caller, { vendsCredentials: wantsCredentials(request) }));
    case "table exists":
      await found();
      return NO_CONTENT;
    case "load credentials":
      return json(await tableCredentials(world, await found(), caller));
    case "report metrics":
      await project();
      return NO_CONTENT;
  }
};

/** How clients are to behave here. Keys do not expire, so nobody has to renew a token. */
const CONFIG = { defaults: { "token-refresh-enabled": "false" }, overrides: {}, endpoints: ENDPOINTS };

/** Whether a client takes vended credentials; the other way of access, signed requests, the platform does not have. */
const wantsCredentials = ({ headers }: HttpRequest): boolean =>
  (headers["x-iceberg-access-delegation"] ?? "").split(",").some((way) => way.trim() === "vended-credentials");

const NO_CONTENT: HttpReply = { status: 204, headers: {}, body: "" };

const json = (body: object): HttpReply => jsonText(JSON.stringify(body));

/** Whoever keeps an answer keeps a key with it, or sees an old state. */
const jsonText = (body: string): HttpReply => ({
  status: 200,
  headers: { "content-type": "application/json", "cache-control": "no-store" },
  body,
});
