import { MAX_WIRE_BYTES } from "./limits.ts";

/** The purpose of a path of the ingest host. On legacy paths the text may be wrapped in base64 once more. */
export type CapturePath =
  | { readonly kind: "events"; readonly legacy: boolean; readonly engage: boolean }
  | { readonly kind: "recordings" }
  | { readonly kind: "health"; readonly text: string };

const events = (options: { readonly legacy: boolean; readonly engage?: boolean }): CapturePath => ({
  kind: "events",
  legacy: options.legacy,
  engage: options.engage ?? false,
});

const CAPTURE_PATHS: ReadonlyMap<string, CapturePath> = new Map([
  ["/batch", events({ legacy: false })],
  ["/i/v0/e", events({ legacy: false })],
  ["/i/v0/ai/batch", events({ legacy: false })],
  ["/e", events({ legacy: true })],
  ["/capture", events({ legacy: true })],
  ["/track", events({ legacy: true })],
  ["/engage", events({ legacy: true, engage: true })],
  ["/s", { kind: "recordings" }],
  ["", { kind: "health", text: "capture" }],
  ["/_readiness", { kind: "health", text: "capture" }],
  ["/_liveness", { kind: "health", text: "ok" }],
]);

/** The paths that capture answers, as the gateways and the local platform mount them. */
export const PATHS: readonly string[] = [...CAPTURE_PATHS.keys()].map((path) => `${path}/`);

/** Bytes of the body that a request to a path may have: only those that bring something are read. */
export const bodyBytes = (method: string, path: string): number =>
  TAKING.has(pathAt(path)?.kind) && BRINGING.has(method) ? MAX_WIRE_BYTES : 0;

const TAKING: ReadonlySet<CapturePath["kind"] | undefined> = new Set(["events", "recordings"]);

const BRINGING: ReadonlySet<string> = new Set(["GET", "HEAD", "POST"]);

/** The final slash is optional and never redirected: a redirect makes an SDK lose the body. */
export const pathAt = (path: string): CapturePath | undefined => CAPTURE_PATHS.get(path.endsWith("/") ? path.slice(0, -1) : path);
