import { router } from "../../lib/http/serve/router.ts";

/** What a path is for. */
export type BrowserPath =
  | { readonly kind: "config" | "config-script" | "array-script" }
  | { readonly kind: "flags"; readonly path: "flags" | "decide" }
  | { readonly kind: "definitions" }
  | { readonly kind: "file" };

const DECLARED: readonly { readonly path: string; readonly value: BrowserPath }[] = [
  { path: "/array/{token}/config/", value: { kind: "config" } },
  { path: "/array/{token}/config.js/", value: { kind: "config-script" } },
  { path: "/array/{token}/array.js/", value: { kind: "array-script" } },
  { path: "/flags/", value: { kind: "flags", path: "flags" } },
  { path: "/decide/", value: { kind: "flags", path: "decide" } },
  { path: "/flags/definitions/", value: { kind: "definitions" } },
  { path: "/static/{file}/", value: { kind: "file" } },
  { path: "/static/{version}/{file}/", value: { kind: "file" } },
];

export const PATHS: readonly string[] = DECLARED.map(({ path }) => path);

export const pathAt = router(DECLARED);

/** Bytes of a body that says who asks for flags; nothing else here has one. */
export const MAX_BODY_BYTES = 1024 * 1024;

export const bodyBytes = (method: string, path: string): number =>
  method === "POST" && pathAt(path)?.value.kind === "flags" ? MAX_BODY_BYTES : 0;
