import type { Ports } from "../../ports/ports.ts";
import { ConditionFailed, Conflict } from "../../ports/table.ts";
import { ListFull } from "../../table/bounded-list.ts";
import { NotFound } from "../../table/store.ts";
import type { Call } from "../access.ts";
import {
  ApiError,
  conflict,
  invalid,
  methodNotAllowed,
  notFound,
  passingError,
  payloadTooLarge,
  serverError,
  unknownPath,
} from "../errors.ts";
import { MAX_BODY_BYTES, type ParsedBody, readBody } from "../input/body.ts";
import { peekField } from "../input/peek.ts";
import type { BeginningVerdict, HttpReply, HttpRequest } from "../request.ts";
import { logRequest } from "../request-log.ts";
import { METHODS, type Route } from "../route.ts";
import { router } from "../router.ts";
import { negotiate } from "./negotiate.ts";
import { allowedMethods, CORS_HEADERS, isPreflight, optionsReply, preflight } from "./options.ts";

/** Options that differ where the platform is deployed: the parser of JSON text, which throws on bad text. */
export interface ServeOptions {
  readonly parseJson?: (text: string) => unknown;
}

/** The parts that serving itself needs of those it hands to handlers. */
export type Serving = Pick<Ports, "clock" | "log" | "config">;

/** The server of a group's requests. */
export interface RequestServer<W> {
  /** How many bytes of a request's body are worth reading: 0 where no operation is asked for that takes one. */
  bodyBytes(method: string, path: string): number;
  /** What the head of a request and the beginning of its body tell of its sender. Never throws. A group without it knows nobody by them. */
  judgeBeginning?(beginning: HttpRequest, world: W): Promise<BeginningVerdict>;
  /** Never throws. */
  serve(request: HttpRequest, world: W, options?: ServeOptions): Promise<HttpReply>;
}

/** The facts of a request for its log line. */
interface Trace {
  route: string;
  project: number | undefined;
}

/**
 * Answers requests to the given routes, with the checks in the contract's order: 404, 406, 401, 405, then whether the caller may (403, 404)
 * and not too often (429), and the body last.
 */
export const routesServer = <W extends Serving>(routes: readonly Route<W>[]): RequestServer<W> => {
  const find = router(byPath(routes));
  const serve = async (request: HttpRequest, world: W, options: ServeOptions = {}): Promise<HttpReply> => {
    const began = world.clock.now();
    const trace: Trace = { route: "none", project: undefined };
    try {
      const reply = await answer(find, request, world, options, trace);
      logRequest(world, { request, ...trace, status: reply.status, began, logged: reply.logged });
      return finished(request, reply);
    } catch (thrown) {
      return refused(request, thrown, { world, trace, began });
    }
  };
  const judgeBeginning = async (request: HttpRequest, world: W): Promise<BeginningVerdict> => {
    const match = find(request.path);
    const route = match && routeFor(match.value, request.method);
    // What takes no body has read none of it.
    if (route === undefined) return "unknown";
    const began = world.clock.now();
    const query = Object.fromEntries(request.query);
    try {
      negotiate(request, query, route.reply);
      await route.identify({ request, params: match?.params ?? {}, query, peek: unread }, world);
      return "known";
    } catch (thrown) {
      if (thrown instanceof Unread) return "unknown";
      return refused(request, thrown, { world, trace: { route: route.id, project: undefined }, began });
    }
  };
  /** Any operation may be sent a key in its body. */
  const bodyBytes = (method: string, path: string): number => {
    const offer = find(path)?.value;
    const route = offer && routeFor(offer, method);
    return route === undefined ? 0 : (route.rawBody?.maxBytes ?? MAX_BODY_BYTES);
  };
  return { serve, judgeBeginning, bodyBytes };
};

interface Served {
  readonly world: Serving;
  readonly trace: Trace;
  readonly began: number;
}

const refused = (request: HttpRequest, thrown: unknown, { world, trace, began }: Served): HttpReply => {
  const error = wireError(thrown, request);
  const fault = error.status >= 500 ? (error.cause ?? error) : undefined;
  logRequest(world, { request, ...trace, status: error.status, began, fault, code: refusalCode(error) });
  return finished(request, errorReply(error));
};

/** The key of a request stands in a body that has only begun to come, if anywhere. */
class Unread extends Error {}

const unread = (): never => {
  throw new Unread();
};

/** The operations of one declared path. */
type Offer<W> = ReadonlyMap<string, Route<W>>;

const byPath = <W>(routes: readonly Route<W>[]): readonly { readonly path: string; readonly value: Offer<W> }[] => {
  const paths = new Map<string, Map<string, Route<W>>>();
  for (const route of routes) {
    const offer = paths.get(route.path) ?? new Map<string, Route<W>>();
    paths.set(route.path, offer.set(route.method, route));
  }
  return [...paths].map(([path, value]) => ({ path, value }));
};

const answer = async <W>(
  find: ReturnType<typeof router<Offer<W>>>,
  request: HttpRequest,
  world: W,
  options: ServeOptions,
  trace: Trace,
): Promise<HttpReply> => {
  const match = find(request.path);
  if (match === undefined) throw unknownPath();
  const offer = match.value;
  if (isPreflight(request)) return preflight(allowedMethods(offer));

  const route = routeFor(offer, request.method);
  const chosen = route ?? representative(offer);
  trace.route = route?.id ?? `${request.method} ${chosen.path}`;
  const query = Object.fromEntries(request.query);
  negotiate(request, query, chosen.reply);

  const call: Call = { request, params: match.params, query, peek: (name) => peekField(request, name) };
  const identified = await chosen.identify(call, world);
  if (route === undefined && request.method !== "OPTIONS") throw methodNotAllowed(request.method, allowedMethods(offer));

  const admitted = await identified.admit();
  trace.project = admitted.project;
  await admitted.throttle();
  if (route === undefined) return optionsReply(chosen, allowedMethods(offer));
  checkLength(request, route.rawBody?.maxBytes);
  try {
    return await admitted.answer(async () => (route.body === undefined ? NO_BODY : readBody(request, options.parseJson)));
  } catch (thrown) {
    throw namingMethods(thrown, allowedMethods(offer));
  }
};

/** The 405 of an operation names the methods of its path, too, unless it names some itself. */
const namingMethods = (thrown: unknown, methods: readonly string[]): unknown =>
  thrown instanceof ApiError && thrown.status === 405 && thrown.headers.allow === undefined
    ? new ApiError(405, thrown.body, { headers: { ...thrown.headers, allow: methods.join(", ") }, cause: thrown.cause })
    : thrown;

/** The refusal names the limit alone: the local server reads one byte beyond it and no more, so the whole length is not known. */
const checkLength = ({ body }: HttpRequest, most = MAX_BODY_BYTES): void => {
  if (body.length > most) throw payloadTooLarge(`The body is longer than ${most} bytes, and no more are taken.`);
};

/** The body of an operation that takes none, whatever was sent with it. */
const NO_BODY: ParsedBody = { kind: "json", value: {} };

/** HEAD asks for what GET gives. */
const routeFor = <W>(offer: Offer<W>, method: string): Route<W> | undefined => offer.get(method === "HEAD" ? "GET" : method);

/** The operation that decides about callers of a path where no operation is asked for: one that reads, where there is one. */
const representative = <W>(offer: Offer<W>): Route<W> => {
  for (const method of METHODS) {
    const route = offer.get(method);
    if (route) return route;
  }
  throw unknownPath();
};

const wireError = (thrown: unknown, request: HttpRequest): ApiError => {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof NotFound) return notFound();
  if (thrown instanceof ListFull) return invalid(null, thrown.message);
  // Whoever read something and finds it changed when it is written was overtaken; that is nobody's fault.
  if (thrown instanceof ConditionFailed || thrown instanceof Conflict) return conflict(OVERTAKEN);
  return passingError(thrown) ?? serverError(request.id, thrown);
};

/** What the log says of a refusal: its code alone, because sentences may repeat what a caller sent. */
const refusalCode = ({ body }: ApiError): string | undefined =>
  typeof body === "object" && body !== null && "code" in body && typeof body.code === "string" ? body.code : undefined;

const OVERTAKEN = "It was changed by another request at the same time. Try again.";

const errorReply = (error: ApiError): HttpReply =>
  error.body === null
    ? { status: error.status, headers: error.headers, body: "" }
    : { status: error.status, headers: { "content-type": "application/json", ...error.headers }, body: JSON.stringify(error.body) };

const finished = (request: HttpRequest, reply: HttpReply): HttpReply => ({
  status: reply.status,
  headers: { ...reply.headers, ...("origin" in request.headers && CORS_HEADERS) },
  body: request.method === "HEAD" ? "" : reply.body,
});
