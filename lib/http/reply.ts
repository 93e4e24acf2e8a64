import type * as z from "zod";

/** What an operation answers when all is well. */
export type Reply =
  | { readonly kind: "json"; readonly status: number; readonly schema: z.ZodType }
  | { readonly kind: "empty"; readonly status: number }
  | { readonly kind: "text"; readonly status: number; readonly mediaType: string };

/** A JSON body, encoded through the schema: what the schema does not declare is not sent. */
export const json = <S extends z.ZodType>(status: number, schema: S) => ({ kind: "json", status, schema }) as const;

export const empty = (status: number) => ({ kind: "empty", status }) as const;

/** Text as the handler returns it. */
export const text = (status: number, mediaType: string) => ({ kind: "text", status, mediaType }) as const;

/** What a handler returns for a reply. */
export type Sent<R extends Reply> = R extends { readonly kind: "json"; readonly schema: infer S extends z.ZodType }
  ? z.input<S>
  : R extends { readonly kind: "text" }
    ? string
    : // biome-ignore lint/suspicious/noConfusingVoidType: a handler of an empty reply returns nothing.
      void;
