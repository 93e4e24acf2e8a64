import type { World } from "../../lib/app/world.ts";
import { Refused } from "../../lib/event/refused.ts";
import { type HttpReply, type HttpRequest, queryValue } from "../../lib/http/request.ts";
import { corsHeaders, SDK_METHODS } from "../../lib/http/sdk.ts";
import { noDefinitions, noFlags, remoteConfig, remoteConfigScript } from "./answers.ts";
import { askingProject, tokenInAddress, tokenOfRequest } from "./asking-project.ts";
import { SCRIPT_TYPE, sendFile } from "./files.ts";
import { type BrowserPath, pathAt, takesPost } from "./paths.ts";

const JSON_TYPE = { "content-type": "application/json" } as const;
/** A change of a project's token is seen soon, and a page asks once. */
const FOR_MINUTES = { "cache-control": "public, max-age=300" } as const;

/** Answers what browsers' SDKs ask besides events. Any site may read the answers; an `Authorization` header is not read. */
export const serve = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const reply = await answer(request, world);
  const headers = { ...reply.headers, ...corsFor(request, reply) };
  return { status: reply.status, headers, body: request.method === "HEAD" ? "" : reply.body };
};

const corsFor = (request: HttpRequest, { headers }: HttpReply): Readonly<Record<string, string>> => {
  const mirrored = corsHeaders(request);
  const { vary } = mirrored;
  return headers.vary === undefined || vary === undefined ? mirrored : { ...mirrored, vary: `${headers.vary}, ${vary}` };
};

const answer = async (request: HttpRequest, world: World): Promise<HttpReply> => {
  const match = pathAt(request.path);
  if (match === undefined) return notFound();
  if (request.method === "OPTIONS") return { status: 200, headers: {}, body: "" };
  if (!isOffered(match.value, request.method)) return { status: 405, headers: { allow: SDK_METHODS }, body: "" };
  try {
    return (await found(match.value, match.params, request, world)) ?? notFound();
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    return thrown.status === 401
      ? problem(401, "authentication_error", "invalid_api_key", thrown.message)
      : problem(thrown.status, "validation_error", "invalid_input", thrown.message);
  }
};

const isOffered = (value: BrowserPath, method: string): boolean =>
  method === "POST" ? takesPost(value) : (method === "GET" || method === "HEAD") && !(value.kind === "nothing" && value.method === "POST");

const found = async (
  path: BrowserPath,
  params: Readonly<Record<string, string>>,
  request: HttpRequest,
  world: World,
): Promise<HttpReply | undefined> => {
  switch (path.kind) {
    case "config":
      return json(remoteConfig(await askingProject(params.token, request, world)), FOR_MINUTES);
    case "config-script":
      return script(remoteConfigScript(await askingProject(params.token, request, world)));
    case "array-script":
      return arrayScript(remoteConfigScript(await askingProject(params.token, request, world)), request);
    case "flags":
      return json(await flags(path.path, request, world));
    case "definitions":
      await askingProject(queryValue(request, "token"), request, world);
      return json(noDefinitions());
    case "nothing":
      // Some name the project in a header instead, which is not read here.
      if (!path.mayLackToken || tokenInAddress(request) !== undefined) await askingProject(tokenInAddress(request), request, world);
      return json(path.body);
    case "toolbar":
      return script(NO_TOOLBAR);
    case "file":
      return sendFile(request, params);
  }
};

/** The SDK calls this once the toolbar's script is there; without it, it says in red that loading failed. */
const NO_TOOLBAR = "window.ph_load_toolbar=function(){};\n";

const flags = async (path: "flags" | "decide", request: HttpRequest, world: World): Promise<object> => {
  const project = await askingProject(tokenOfRequest(request), request, world);
  const version = Number.parseInt(queryValue(request, "v") ?? "", 10);
  const facts = { path, version: Number.isNaN(version) ? 1 : version, withConfig: queryValue(request, "config") === "true" };
  return noFlags({ ...facts, project, requestId: world.ids.uuid(), now: world.clock.now() });
};

/** The SDK with its configuration before it, for pages that load both at once. */
const arrayScript = async (config: string, request: HttpRequest): Promise<HttpReply | undefined> => {
  const plain = { ...request, headers: {} };
  const sdk = await sendFile(plain, { file: "array.js" });
  return sdk && script(config + Buffer.from(sdk.body).toString("utf8"));
};

const json = (body: object | null, headers: Readonly<Record<string, string>> = {}): HttpReply => ({
  status: 200,
  headers: { ...JSON_TYPE, ...headers },
  body: JSON.stringify(body),
});

const script = (body: string): HttpReply => ({ status: 200, headers: { "content-type": SCRIPT_TYPE, ...FOR_MINUTES }, body });

const problem = (status: number, type: string, code: string, detail: string): HttpReply => ({
  status,
  headers: JSON_TYPE,
  body: JSON.stringify({ type, code, detail, attr: null }),
});

const notFound = (): HttpReply => problem(404, "invalid_request", "not_found", "Endpoint not found.");
