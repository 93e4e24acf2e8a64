import type { RecordedExample } from "../../functions/docs/examples.ts";
import { fill, holes } from "../../lib/core/template.ts";
import type { DescribedOperation } from "../fuzz/api/description.ts";

/** What a call is sent with; what is left out is taken from the description. */
export interface Asked {
  /** Values of holes, besides those of the project and the organization. */
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** The description's own example of the body when left out. */
  readonly body?: unknown;
  /** The thing that the description's example means by its made-up id. */
  readonly subject?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Calls operations by their ids. Both throw for whatever is no success. */
export interface Recorder {
  /** Calls, and keeps request and answer. Returns the body, parsed where it is JSON. */
  record(operation: string, asked?: Asked): Promise<Body>;
  /** Only calls: for what examples need to be there. */
  call(operation: string, asked?: Asked): Promise<Body>;
}

export type Body = Readonly<Record<string, unknown>>;

/** Whom calls are made for. */
export interface Caller {
  readonly origin: string;
  /** Where events are sent, if that is another host. */
  readonly ingestOrigin?: string;
  readonly personalKey: string;
  readonly secretKey: string;
  readonly holes: Readonly<Record<string, string | number>>;
  /** What an answer says, where addresses in it lead elsewhere on this machine. */
  readonly readable?: (answer: string) => string;
  /** Is told the id of each operation before it is called. */
  readonly begin: (operation: string) => void;
}

/** The id that bodies of the description give to a thing of which only a platform knows the id. */
const SOME_ID = "0190d0aa-0000-7000-8000-000000000001";

/** Calls operations of a platform as `caller`, and keeps what is recorded in `kept`, by the operation's id. */
export const recorder = (operations: readonly DescribedOperation[], caller: Caller, kept: Map<string, RecordedExample[]>): Recorder => {
  const send = async (id: string, asked: Asked): Promise<{ readonly example: RecordedExample; readonly body: Body }> => {
    const operation = operations.find((each) => each.id === id);
    if (operation === undefined) throw new Error(`the description has no operation ${id}`);
    const known = { ...caller.holes, ...asked.path };
    const named = Object.fromEntries(holes(operation.path).map((hole) => [hole, known[hole] ?? ""]));
    const sent = operation.body === undefined ? undefined : (asked.body ?? declaredBody(operation, asked.subject));
    const path = fill(operation.path, asTexts(named), encodeURIComponent);
    const query = asked.query === undefined ? "" : `?${new URLSearchParams(asTexts(asked.query))}`;
    caller.begin(id);
    const key = operation.key === "secret" ? caller.secretKey : caller.personalKey;
    const origin = operation.isCapture ? (caller.ingestOrigin ?? caller.origin) : caller.origin;
    const reply = await fetch(`${origin}${path}/${query}`, {
      method: operation.method,
      redirect: "manual",
      headers: {
        ...(operation.key !== undefined && { authorization: `Bearer ${key}` }),
        ...(sent !== undefined && { "content-type": "application/json" }),
        ...asked.headers,
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    const text = (caller.readable ?? String)(await reply.text());
    if (!reply.ok) throw new Error(`${id} was answered ${reply.status}: ${text}\n${JSON.stringify(sent)}`);
    const mediaType = reply.headers.get("content-type")?.split(";", 1)[0];
    const body = mediaType === "application/json" ? JSON.parse(text) : text;
    return {
      body,
      example: {
        request: {
          ...(Object.keys(named).length > 0 && { path: named }),
          ...(asked.query && { query: asked.query }),
          ...(sent !== undefined && { body: sent }),
        },
        reply: { status: reply.status, ...(text !== "" && mediaType !== undefined && { mediaType, body }) },
      },
    };
  };
  return {
    async call(id, asked = {}) {
      return (await send(id, asked)).body;
    },
    async record(id, asked = {}) {
      const { example, body } = await send(id, asked);
      kept.set(id, [...(kept.get(id) ?? []), example]);
      return body;
    },
  };
};

const declaredBody = ({ id, body }: DescribedOperation, subject = SOME_ID): unknown => {
  if (body?.example === undefined) throw new Error(`the description shows no body of ${id}`);
  return JSON.parse(JSON.stringify(body.example).replaceAll(SOME_ID, subject));
};

const asTexts = (values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
