import createClient, { createFinalURL, createQuerySerializer, defaultPathSerializer, type FetchOptions } from "openapi-fetch";
import type { paths } from "./api.d.ts";
import { readExact } from "./exact.ts";
import { ApiProblem, Unreachable } from "./problems.ts";

/** Where the console lies, with a final slash: the page names it before anything is loaded. */
export const ROOT = document.baseURI;

/** A call of the API that can be sent, shown, and known again. */
export interface Call<T> {
  readonly method: string;
  /** From the root, with its query and without a first slash. */
  readonly path: string;
  readonly body?: unknown;
  /** Throws an `ApiProblem` where the API refuses, `Unreachable` where nothing answers. A success without a body gives null. */
  send(key: string | undefined, signal?: AbortSignal): Promise<T>;
  /** The same with what came around the data. */
  sendForReply(key: string | undefined, signal?: AbortSignal): Promise<Reply<T>>;
}

/** An answer with its headers, and how long it took to come. */
export interface Reply<T> {
  readonly data: T;
  readonly headers: Headers;
  readonly ms: number;
}

const client = createClient<paths>({ baseUrl: ROOT.replace(/\/$/, ""), cache: "no-store", credentials: "omit" });

type Method = "get" | "post" | "patch" | "delete";
type PathWith<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, unknown> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Init<O> = Pick<FetchOptions<O>, "params" | "body">;
type Success = 200 | 201 | 202 | 204;
/** What an operation answers with where it succeeds; undefined where that has no body. */
type Answer<O> = O extends { responses: infer R } ? { [S in keyof R & Success]: Body<R[S]> }[keyof R & Success] : never;
type Body<R> = R extends { content: { "application/json": infer B } } ? B : undefined;

const withMethod =
  <M extends Method>(method: M, parseAs: "json" | "blob" | "text" = "json") =>
  <P extends PathWith<M>>(path: P, init: Init<Operation<P, M>>): Call<Answer<Operation<P, M>>> => {
    const { params = {}, body } = init as { params?: Params; body?: unknown };
    const address = createFinalURL(path, { baseUrl: "", params, querySerializer: writeQuery, pathSerializer: defaultPathSerializer });
    return {
      method: method.toUpperCase(),
      path: address.slice(1),
      ...(body !== undefined && { body }),
      async send(key, signal) {
        return (await this.sendForReply(key, signal)).data;
      },
      async sendForReply(key, signal) {
        const begun = performance.now();
        const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
        const { data = null, error, response } = await send(method, path, { ...init, headers, parseAs, ...(signal && { signal }) });
        if (!response.ok) throw new ApiProblem(response.status, error, response.headers.get("retry-after"));
        return { data: data as Answer<Operation<P, M>>, headers: response.headers, ms: performance.now() - begun };
      },
    };
  };

/** The same call, answered with its headers and the time it took. Answers are kept by call: a view asks for one in one of both ways. */
export const withReply = <T>(call: Call<T>): Call<Reply<T>> => ({
  ...call,
  send: (key, signal) => call.sendForReply(key, signal),
  sendForReply: async (key, signal) => {
    const reply = await call.sendForReply(key, signal);
    return { ...reply, data: reply };
  },
});

/** Several calls as one, below a path by which its answer is known; what is not found is left out. */
export const together = <T>(path: string, calls: readonly Call<T>[]): Call<readonly T[]> => ({
  method: "GET",
  path,
  body: calls.map((call) => call.path),
  async send(key, signal) {
    return (await this.sendForReply(key, signal)).data;
  },
  async sendForReply(key, signal) {
    const begun = performance.now();
    const replies = await Promise.all(calls.map((call) => call.send(key, signal).then((data) => [data], noneIfMissing)));
    return { data: replies.flat(), headers: new Headers(), ms: performance.now() - begun };
  },
});

const noneIfMissing = (thrown: unknown): readonly never[] => {
  if (thrown instanceof ApiProblem && thrown.status === 404) return [];
  throw thrown;
};

interface Params {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

const writeQuery = createQuerySerializer<unknown>();

// The types of the calls are those of `withMethod`; here any of them is sent.
type Send = (method: string, path: string, init: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>;

const send: Send = async (method, path, init) => {
  try {
    return await (client.request as unknown as Send)(method, path, init);
  } catch (thrown) {
    if (thrown instanceof DOMException && thrown.name === "AbortError") throw thrown;
    throw new Unreachable();
  }
};

export const get = withMethod("get");
export const post = withMethod("post");
export const patch = withMethod("patch");
export const remove = withMethod("delete");

/** The same call, whose answer comes as a text, and is what that says to a reader. */
const readBy = <T>(call: Call<T>, read: (text: string) => unknown): Call<T> => {
  const sendForReply = async (key: string | undefined, signal?: AbortSignal): Promise<Reply<T>> => {
    const reply = await call.sendForReply(key, signal);
    return { ...reply, data: read(String(reply.data)) as T };
  };
  return { ...call, sendForReply, send: async (key, signal) => (await sendForReply(key, signal)).data };
};

/** Whole numbers keep their digits: those that no number of a page holds come as texts. */
const readDigits = (text: string): unknown => JSON.parse(text, withoutRounding);

/** A browser that does not tell what stands in the text rounds, as all do without being asked. */
const withoutRounding = (_name: string, value: unknown, written?: { readonly source?: string }): unknown =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(written?.source ?? "") ? written?.source : value;

/** Calls that answer rows, which may hold any number. */
export const getRows = <P extends PathWith<"get">>(path: P, init: Init<Operation<P, "get">>) =>
  readBy(withMethod("get", "text")(path, init), readDigits);
export const postRows = <P extends PathWith<"post">>(path: P, init: Init<Operation<P, "post">>) =>
  readBy(withMethod("post", "text")(path, init), readDigits);

/** A call that answers what somebody sent, with any number in it. */
export const getExact = <P extends PathWith<"get">>(path: P, init: Init<Operation<P, "get">>) =>
  readBy(withMethod("get", "text")(path, init), readExact);

/** A call that answers a file. */
export const download = <P extends PathWith<"get">>(path: P, init: Init<Operation<P, "get">>): Call<Blob> =>
  withMethod("get", "blob")(path, init) as Call<unknown> as Call<Blob>;

/** A call that answers a file, or the address of one that is too large for that: the page may only be led there, not ask there itself. */
export const downloadOrAddress = <P extends PathWith<"get">>(path: P, init: Init<Operation<P, "get">>): Call<Blob | FileAddress> => {
  const call = download(path, init);
  const sendForReply = async (key: string | undefined, signal?: AbortSignal): Promise<Reply<Blob | FileAddress>> => {
    const reply = await call.sendForReply(key, signal);
    return reply.data.type.startsWith("application/json") ? { ...reply, data: JSON.parse(await reply.data.text()) } : reply;
  };
  return { ...call, sendForReply, send: async (key, signal) => (await sendForReply(key, signal)).data };
};

/** Where a file lies for an hour. */
export interface FileAddress {
  readonly url: string;
}

/** The call as somebody types it, with a variable in the place of the key. */
export const curl = ({ method, path, body }: Pick<Call<unknown>, "method" | "path" | "body">): string =>
  [
    `curl -s${method === "GET" ? "" : ` -X ${method}`} ${quoted(ROOT + path)}`,
    `-H "Authorization: Bearer $KEY"`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");

/** A text as one word of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
