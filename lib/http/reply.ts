import type * as z from "zod";
import type { HttpReply } from "./request.ts";

/** Headers that a reply may carry: lower-case names with what they say. */
export type ReplyHeaders = Readonly<Record<string, string>>;

/** The answer of an operation when all is well. */
export type Reply =
  | {
      readonly kind: "json";
      readonly status: number;
      readonly schema: z.ZodType;
      readonly headers?: ReplyHeaders;
      /** A second status of success. */
      readonly other?: OtherStatus;
      /** A media type besides JSON that clients may ask for: the operation leads them elsewhere. */
      readonly accepts?: string;
    }
  | { readonly kind: "empty"; readonly status: number }
  | { readonly kind: "text"; readonly status: number; readonly mediaType: string }
  | { readonly kind: "html"; readonly status: number; readonly headers: ReplyHeaders }
  | {
      readonly kind: "file";
      readonly status: number;
      readonly mediaType: string;
      /** Whether it may be too large to be sent from here. */
      readonly isLarge?: boolean;
    };

interface OtherStatus {
  readonly status: number;
  readonly description: string;
}

interface JsonReply<S extends z.ZodType> {
  readonly kind: "json";
  readonly status: number;
  readonly schema: S;
}

interface JsonReplyWithHeaders<S extends z.ZodType, H extends ReplyHeaders> extends JsonReply<S> {
  readonly headers: H;
}

interface JsonReplyOfEither<S extends z.ZodType> extends JsonReply<S> {
  readonly other: OtherStatus;
}

/** A JSON body, encoded through the schema: what the schema does not declare is not sent. */
export const json = <S extends z.ZodType>(status: number, schema: S): JsonReply<S> => ({ kind: "json", status, schema });

/** As `json`, with headers that say more about the body. A handler returns both. */
export const jsonWithHeaders = <S extends z.ZodType, const H extends ReplyHeaders>(
  status: number,
  schema: S,
  headers: H,
): JsonReplyWithHeaders<S, H> => ({ kind: "json", status, schema, headers });

/** As `json`, under one of two statuses of success. A handler returns both. */
export const jsonOfEither = <S extends z.ZodType>(status: number, other: OtherStatus, schema: S): JsonReplyOfEither<S> => ({
  kind: "json",
  status,
  other,
  schema,
});

export const empty = (status: number) => ({ kind: "empty", status }) as const;

/** Text as the handler returns it. */
export const text = (status: number, mediaType: string) => ({ kind: "text", status, mediaType }) as const;

/** A page for people as the handler returns it, with headers that say what it may load. */
export const htmlPage = (status: number, headers: ReplyHeaders) => ({ kind: "html", status, headers }) as const;

/** A file to be saved. */
export const file = (mediaType: string) => ({ kind: "file", status: 200, mediaType }) as const;

/** A file to be saved: from here, or from the address where it lies because it is too large. */
export const largeFile = (mediaType: string) => ({ kind: "file", status: 200, mediaType, isLarge: true }) as const;

/** The value that a handler returns for a file: clients are led to one that lies elsewhere, or told its address. */
export type SentFile =
  | { readonly kind: "here"; readonly name: string; readonly body: string | Uint8Array; readonly headers: ReplyHeaders }
  | { readonly kind: "elsewhere" | "told"; readonly address: string; readonly headers: ReplyHeaders };

/** The body with the address of a file that lies elsewhere. */
export const fileAddress = (url: string) => ({ url });

/** The value that a handler returns for a reply with headers of its own: each that applies. */
export interface SentWithHeaders<S extends z.ZodType = z.ZodType, H extends ReplyHeaders = ReplyHeaders> {
  readonly body: z.input<S>;
  readonly headers: { readonly [Name in keyof H]?: string };
  /** For the line of the request, and not sent. */
  readonly logged?: NonNullable<HttpReply["logged"]>;
}

/** The value that a handler returns for a reply of either of two statuses. */
export interface SentWithStatus<S extends z.ZodType = z.ZodType> {
  readonly body: z.input<S>;
  readonly status: number;
}

/** The value that a handler returns for a reply. */
export type Sent<R extends Reply> =
  R extends JsonReplyWithHeaders<infer S, infer H>
    ? SentWithHeaders<S, H>
    : R extends JsonReplyOfEither<infer S>
      ? SentWithStatus<S>
      : R extends JsonReply<infer S>
        ? z.input<S>
        : R extends { readonly kind: "text" | "html" }
          ? string
          : R extends { readonly kind: "file" }
            ? SentFile
            : // biome-ignore lint/suspicious/noConfusingVoidType: a handler of an empty reply returns nothing.
              void;

/** Whether what is sent is a text or a page, which clients get whatever they say that they accept. */
export const takesAnyClient = ({ kind }: Reply): boolean => kind === "text" || kind === "html";

/** Encodes the value that a handler returned for a reply: JSON through the schema. */
export const encodeReply = (reply: Reply, sent: unknown): HttpReply => {
  switch (reply.kind) {
    case "json": {
      const { body, status, headers, logged } = replyParts(reply, sent);
      return {
        status,
        ...(logged && { logged }),
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(reply.schema.parse(body)),
      };
    }
    case "text":
      return { status: reply.status, headers: { "content-type": reply.mediaType }, body: String(sent) };
    case "html":
      return { status: reply.status, headers: { "content-type": "text/html; charset=utf-8", ...reply.headers }, body: String(sent) };
    case "file":
      return fileReply(reply.mediaType, sent as SentFile);
    case "empty":
      return { status: reply.status, headers: {}, body: "" };
  }
};

/** A handler of a file returns one: `Sent` says so. */
const fileReply = (mediaType: string, sent: SentFile): HttpReply => {
  switch (sent.kind) {
    case "elsewhere":
      return { status: 302, headers: { ...sent.headers, location: sent.address }, body: "" };
    case "told":
      return {
        status: 200,
        headers: { ...sent.headers, "content-type": "application/json" },
        body: JSON.stringify(fileAddress(sent.address)),
      };
    case "here": {
      const disposition = `attachment; filename="${sent.name}"`;
      return { status: 200, headers: { ...sent.headers, "content-type": mediaType, "content-disposition": disposition }, body: sent.body };
    }
  }
};

interface JsonParts {
  readonly body: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly logged?: NonNullable<HttpReply["logged"]>;
}

/** A handler of a reply with headers, or of either of two statuses, returns those beside its body: `Sent` says so. */
const replyParts = (
  { status, headers, other }: Extract<Reply, { kind: "json" }>,
  sent: unknown,
): JsonParts & { readonly status: number } =>
  headers === undefined && other === undefined ? { body: sent, status } : { status, ...(sent as JsonParts) };
