import { type ApiError, bare } from "../http/errors.ts";

/** 400 for what billing will not do, in the shape that its clients read; `code` says which rule, `detail` what to do. */
export const refused = (code: string | null, detail: string | object, more: Readonly<Record<string, unknown>> = {}): ApiError =>
  bare(400, { statusText: "Bad Request", detail, code, ...more });
