import * as errors from "../errors.ts";
import { MAX_BODY_BYTES } from "../input/body.ts";
import { takesAnyClient } from "../reply.ts";
import type { DeclaredRoute } from "../route.ts";
import type { SchemaBook } from "./schemas.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/** Every error that operations share, with an example made by the very function that makes the answer. */
const SHARED: Readonly<Record<number, { readonly name: string; readonly description: string; readonly example: errors.ApiError }>> = {
  400: {
    name: "BadRequest",
    description: "The request does not fit; `attr` names the first field that is wrong.",
    example: errors.invalid("name", "This field is required.", "required"),
  },
  401: { name: "Unauthorized", description: "No key was sent, or it is not valid.", example: errors.notAuthenticated() },
  403: {
    name: "Forbidden",
    description: "The key does not open this operation here.",
    example: errors.permissionDenied("API key missing required scope 'endpoint:read'"),
  },
  404: { name: "NotFound", description: "There is no such thing, or not for this caller.", example: errors.notFound() },
  405: { name: "MethodNotAllowed", description: "The path does not offer this method.", example: errors.methodNotAllowed("PUT", ["GET"]) },
  406: { name: "NotAcceptable", description: "The `Accept` header admits nothing that is sent here.", example: errors.notAcceptable() },
  409: {
    name: "Conflict",
    description: "Another change came first.",
    example: errors.conflict("The object was changed meanwhile. Try again."),
  },
  413: {
    name: "PayloadTooLarge",
    description: "The body is too large.",
    example: errors.payloadTooLarge(`The body is longer than ${MAX_BODY_BYTES} bytes, and no more are taken.`),
  },
  415: {
    name: "UnsupportedMediaType",
    description: "The body has a media type that is not read.",
    example: errors.unsupportedMediaType("text/plain"),
  },
  429: { name: "TooManyRequests", description: "Too many requests with this key, or from this address.", example: errors.throttled(60) },
  500: {
    name: "ServerError",
    description: "A fault of the service; its log knows the request by `error_event_id`.",
    example: errors.serverError("c6af9ac6-7b61-11e6-9a41-93e8deadbeef", undefined),
  },
  503: {
    name: "ServiceUnavailable",
    description:
      "The service cannot answer now: it is being stopped, has no room left, or is overloaded. A change may have been made all the same. Try again after `Retry-After`.",
    example: errors.unavailable(undefined),
  },
};

const ERROR_SCHEMA = { $ref: "#/components/schemas/Error" } as const;

const RETRY_AFTER = { "Retry-After": { description: "Whole seconds until a request may pass.", schema: { type: "integer" } } };

/** Statuses that come with the time after which to ask again. */
const RETRIED: ReadonlySet<number> = new Set([429, 503]);

/** `components.responses`. */
export const SHARED_RESPONSES: JsonObject = Object.fromEntries(
  Object.entries(SHARED).map(([status, { name, description, example }]) => [
    name,
    {
      description,
      ...(RETRIED.has(Number(status)) && { headers: RETRY_AFTER }),
      content: { "application/json": { schema: ERROR_SCHEMA, example: example.body } },
    },
  ]),
);

/**
 * The errors that follow from what a route declares, and those it declares itself. A status that it has for both reasons comes with
 * either body.
 */
export const errorResponses = (route: DeclaredRoute, book: SchemaBook): JsonObject => {
  const declared = route.errors ?? [];
  const standard = new Set([...impliedStatuses(route), ...declared.filter((each) => typeof each === "number")]);
  const own = declared.filter((each) => typeof each !== "number");
  const statuses = new Set([...standard, ...own.map(({ status }) => status)]);
  return Object.fromEntries(
    [...statuses].map((status) => {
      const told = own.filter((each) => each.status === status);
      if (told.length === 0) return [status, shared(route, status)];
      const schemas = told.flatMap(({ body }) => (body === null ? [] : [book.refer(body, "output")]));
      const description = told.map((each) => each.description).join(" Or: ");
      return [status, ownResponse(route, status, description, standard.has(status) ? [ERROR_SCHEMA, ...schemas] : schemas)];
    }),
  );
};

const impliedStatuses = (route: DeclaredRoute): readonly number[] => [
  ...(route.query || route.body || route.rawBody ? [400] : []),
  // A project's own key is refused in the words of the operation.
  ...(route.access.level === "anyone" || route.access.level === "account" ? [] : [401, 403]),
  // A path without holes is not found in a format that nobody makes.
  404,
  ...(takesAnyClient(route.reply) ? [] : [406]),
  ...(route.body ? [413, 415] : []),
  ...(route.rawBody ? [413] : []),
  ...(route.method === "GET" ? [] : [409]),
  ...(route.access.level === "anyone" || route.throttle === "none" ? [] : [429]),
  500,
  503,
];

/** Shared, unless the route shows examples of its own for the status. */
const shared = (route: DeclaredRoute, status: number): JsonObject => {
  const known = SHARED[status];
  const examples = errorExamples(route, status);
  if (known && examples === undefined) return { $ref: `#/components/responses/${known.name}` };
  return {
    description: known?.description ?? `Status ${status}.`,
    ...(RETRIED.has(status) && { headers: RETRY_AFTER }),
    content: { "application/json": { schema: ERROR_SCHEMA, ...(examples && { examples }) } },
  };
};

const ownResponse = (route: DeclaredRoute, status: number, description: string, schemas: readonly JsonObject[]): JsonObject => {
  const examples = errorExamples(route, status);
  const [schema, ...others] = schemas;
  if (schema === undefined) return { description };
  const either = others.length === 0 ? schema : { anyOf: schemas };
  return { description, content: { "application/json": { schema: either, ...(examples && { examples }) } } };
};

const errorExamples = (route: DeclaredRoute, status: number): JsonObject | undefined => {
  const found = Object.entries(route.examples?.errors ?? {}).filter(([, example]) => example.status === status);
  return found.length === 0 ? undefined : Object.fromEntries(found.map(([name, { body }]) => [name, { value: body }]));
};
