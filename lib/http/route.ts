import type * as z from "zod";
import type { HoleValues } from "../core/template.ts";
import type { Access, AccessRule, Call, Rate } from "./access.ts";
import { bare } from "./errors.ts";
import type { ParsedBody } from "./input/body.ts";
import { type BodyErrors, checkBody, checkQuery } from "./input/check.ts";
import { empty, encodeReply, type Reply, type Sent } from "./reply.ts";
import type { HttpReply, HttpRequest } from "./request.ts";

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** An error that an operation has of its own: a status with the standard body, or one with a body of its own. */
export type DeclaredError = number | { readonly status: number; readonly description: string; readonly body: z.ZodType | null };

/** The examples of an operation in the API's description. */
export interface Examples {
  readonly body?: unknown;
  readonly reply?: unknown;
  /** Error bodies by a short name. */
  readonly errors?: Readonly<Record<string, { readonly status: number; readonly body: unknown }>>;
}

type SchemaOutput<S extends z.ZodType | undefined> = S extends z.ZodType ? z.output<S> : undefined;

/** The facts of a call before its body is looked at. */
export interface Place<W, P extends string, G> {
  readonly params: HoleValues<P>;
  readonly grant: G;
  readonly world: W;
}

/** The arguments of a handler; `found` is what the route's `find` gave. */
export interface Context<W, P extends string, G, Q extends z.ZodType | undefined, B extends z.ZodType | undefined, F = undefined>
  extends Place<W, P, G> {
  readonly found: F;
  readonly query: SchemaOutput<Q>;
  readonly body: SchemaOutput<B>;
  readonly request: HttpRequest;
}

interface RouteDescription {
  readonly method: Method;
  /** With a final slash, which requests may leave out. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /**
   * How a body that does not fit is answered. "fields": the contract's field errors. "parse": 400 `parse_error`, as one text.
   * "dotted": `invalid_input` with the dotted path as attribute. "plain": 400 with one text as `error`.
   */
  readonly bodyErrors?: BodyErrors;
  /** Statuses besides those that follow from path, access, body and throttle. */
  readonly errors?: readonly DeclaredError[];
  readonly examples?: Examples;
  /** Schemas that the API's description shows instead, where an operation asks for more than its schema does or its rows are not checked one by one. */
  readonly described?: { readonly body?: z.ZodType; readonly reply?: z.ZodType };
  /**
   * A body that the handler takes from the request's bytes, as one that is signed has to be: how long it may be, and what the API's
   * description shows of it. A route has this or `body`.
   */
  readonly rawBody?: { readonly maxBytes: number; readonly shown: z.ZodType };
  /** "default" when left out. */
  readonly throttle?: Rate;
}

export interface RouteSpec<
  W,
  P extends string,
  G,
  Q extends z.ZodType | undefined,
  B extends z.ZodType | undefined,
  R extends Reply,
  F = undefined,
> extends RouteDescription {
  readonly path: P;
  readonly access: Access<W, G>;
  readonly query?: Q;
  readonly body?: B;
  readonly reply: R;
  /** Finds what the path names, before query and body are checked: a call that names nothing is 404 whatever it sends that can be read. */
  readonly find?: (place: Place<W, P, G>) => Promise<F>;
  /** Middleware around reading the body, the checks of query and body, and the handler: gives on what `next` returns or throws. */
  readonly around?: <T>(place: Place<W, P, G> & { readonly found: F }, next: () => Promise<T>) => Promise<T>;
  handle(context: Context<W, P, G, Q, B, F>): Promise<Sent<R>>;
}

/** The declaration of a route, for the API's description, the stacks and the tests. */
export interface DeclaredRoute extends RouteDescription {
  readonly id: string;
  readonly access: AccessRule;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly reply: Reply;
  readonly throttle: Rate;
}

/** A declared operation whose handler is handed a `W`. */
export interface Route<W> extends DeclaredRoute {
  /** Throws 401. */
  identify(call: Call, world: W): Promise<Identification>;
}

/** Reads the body of a call. Throws 400, 413 and 415 for one that cannot be read. */
type ReadBody = () => Promise<ParsedBody>;

export interface Identification {
  /** Throws 403 or 404. */
  admit(): Promise<AdmittedCall>;
}

export interface AdmittedCall {
  readonly project: number | undefined;
  /** Throws 429. */
  throttle(): Promise<void>;
  /** Reads the body, validates, handles and encodes. */
  answer(read: ReadBody): Promise<HttpReply>;
}

/**
 * Declares one operation. This one value is read by the router, the API's description, the stacks and the contract tests.
 * A function of its own names `W`, because the other types follow from what is declared: `lib/app` does so for the whole platform.
 */
export const routeFor =
  <W>() =>
  <
    const P extends string,
    G,
    R extends Reply,
    Q extends z.ZodType | undefined = undefined,
    B extends z.ZodType | undefined = undefined,
    F = undefined,
  >(
    spec: RouteSpec<W, P, G, Q, B, R, F>,
  ): Route<W> => {
    const { access, query, body, find, around, handle, ...rest } = spec;
    const rate = spec.throttle ?? "default";
    return Object.freeze({
      ...rest,
      id: `${spec.method} ${spec.path}`,
      access: access.rule,
      query,
      body,
      throttle: rate,
      async identify(call: Call, world: W): Promise<Identification> {
        const identity = await access.identify(call, world);
        return {
          async admit() {
            const admission = await identity.admit(rate);
            return {
              project: admission.project,
              throttle: () => admission.throttle(),
              async answer(read) {
                const place = { params: templateParams<P>(call.params), grant: admission.grant, world };
                const found = await foundBy(find, place, read);
                const checkAndHandle = async () => {
                  const parsed = await read();
                  return handle({
                    ...place,
                    found,
                    query: checked<Q>(query, (schema) => checkQuery(schema, call.query)),
                    body: checked<B>(body, (schema) => checkBody(schema, parsed, spec.method, spec.bodyErrors ?? "fields")),
                    request: call.request,
                  });
                };
                const sent = await (around === undefined ? checkAndHandle() : around({ ...place, found }, checkAndHandle));
                return encodeReply(spec.reply, sent);
              },
            };
          },
        };
      },
    });
  };

/** Declares a method that a path offers only to refuse it: 405 after access is decided, with the given body, null for none. */
export const refusalFor =
  <W>() =>
  <const P extends string, G>(
    spec: Omit<RouteDescription, "examples" | "throttle" | "errors" | "bodyErrors" | "rawBody"> & {
      readonly path: P;
      readonly access: Access<W, G>;
      readonly body: unknown;
    },
  ): Route<W> => {
    const { body, ...rest } = spec;
    return routeFor<W>()({
      ...rest,
      reply: empty(405),
      async handle() {
        throw bare(405, body);
      },
    });
  };

/** The router has matched the call to this very template, so the holes are exactly its own. */
const templateParams = <P extends string>(params: Readonly<Record<string, string>>): HoleValues<P> => params as HoleValues<P>;

/** `check` returns the schema's own output; without a schema the value is undefined. That is what `SchemaOutput` says. */
const checked = <S extends z.ZodType | undefined>(schema: S | undefined, check: (schema: z.ZodType) => unknown): SchemaOutput<S> =>
  (schema === undefined ? undefined : check(schema)) as SchemaOutput<S>;

/**
 * `F` is undefined where a route finds nothing: it is taken from `find` alone. Of a call that names nothing, a body that cannot be read is
 * still the first that is refused.
 */
const foundBy = async <T, F>(find: ((place: T) => Promise<F>) | undefined, place: T, read: ReadBody): Promise<F> => {
  if (find === undefined) return undefined as F;
  try {
    return await find(place);
  } catch (thrown) {
    await read();
    throw thrown;
  }
};
