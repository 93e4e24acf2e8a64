import type { HttpRequest } from "../request.ts";

export type Compression = "gzip" | "lz64" | "base64";

const NAMES: ReadonlyMap<string, Compression> = new Map([
  ["gzip", "gzip"],
  ["gzip-js", "gzip"],
  ["lz64", "lz64"],
  ["lz-string", "lz64"],
  ["base64", "base64"],
  ["b64", "base64"],
]);

/** What a text says about compression; anything that is not a known name says nothing. */
export const compressionNamed = (text: string | undefined): Compression | undefined =>
  text === undefined ? undefined : NAMES.get(text.trim().toLowerCase());

/** The last value of a query parameter. */
export const queryValue = (request: HttpRequest, name: string): string | undefined =>
  request.query.findLast(([candidate]) => candidate === name)?.[1];
