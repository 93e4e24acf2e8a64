import { router } from "../../lib/http/router.ts";

/** The answer that a path has. */
export type BrowserPath =
  | { readonly kind: "config" | "config-script" | "array-script" }
  | { readonly kind: "flags"; readonly path: "flags" | "decide" }
  | { readonly kind: "definitions" }
  | { readonly kind: "nothing"; readonly method: "GET" | "POST"; readonly body: NothingBody; readonly mayLackToken: boolean }
  | { readonly kind: "toolbar" }
  | { readonly kind: "file" };

/** "There is none of these", in the form that an SDK expects. */
type NothingBody = Readonly<Record<string, null | readonly never[]>> | null;

const none = (body: NothingBody): BrowserPath => ({ kind: "nothing", method: "GET", body, mayLackToken: false });
/** SDKs that ask with a personal key alone take whatever else is answered for the flag's payload, a refusal too. */
const NO_PAYLOAD: BrowserPath = { kind: "nothing", method: "GET", body: null, mayLackToken: true };
/** For what is sent and not kept: the SDK's queue is emptied and nothing fails. */
const DROPPED: BrowserPath = { kind: "nothing", method: "POST", body: {}, mayLackToken: true };

const DECLARED: readonly { readonly path: string; readonly value: BrowserPath }[] = [
  { path: "/array/{token}/config/", value: { kind: "config" } },
  { path: "/array/{token}/config.js/", value: { kind: "config-script" } },
  { path: "/array/{token}/array.js/", value: { kind: "array-script" } },
  { path: "/flags/", value: { kind: "flags", path: "flags" } },
  { path: "/decide/", value: { kind: "flags", path: "decide" } },
  { path: "/flags/definitions/", value: { kind: "definitions" } },
  // As SDKs for Go and Java, and older ones for Python, call it: one that gets no answer asks again with each flag.
  { path: "/api/feature_flag/local_evaluation/", value: { kind: "definitions" } },
  { path: "/api/surveys/", value: none({ surveys: [], survey_config: null }) },
  { path: "/api/early_access_features/", value: none({ earlyAccessFeatures: [] }) },
  { path: "/api/web_experiments/", value: none({ experiments: [] }) },
  { path: "/api/product_tours/", value: none({ product_tours: [] }) },
  { path: "/api/projects/@current/feature_flags/{flag}/remote_config/", value: NO_PAYLOAD },
  { path: "/i/v1/logs/", value: DROPPED },
  { path: "/i/v1/metrics/", value: DROPPED },
  { path: "/static/toolbar.js/", value: { kind: "toolbar" } },
  { path: "/static/{version}/toolbar.js/", value: { kind: "toolbar" } },
  { path: "/static/{file}/", value: { kind: "file" } },
  { path: "/static/{version}/{file}/", value: { kind: "file" } },
];

export const PATHS: readonly string[] = DECLARED.map(({ path }) => path);

export const pathAt = router(DECLARED);

/** Bytes of a body that says who asks for flags, or of a batch of logs, which is not looked at. */
export const MAX_BODY_BYTES = 1024 * 1024;

export const bodyBytes = (method: string, path: string): number => {
  const value = pathAt(path)?.value;
  return method === "POST" && value !== undefined && takesPost(value) ? MAX_BODY_BYTES : 0;
};

/** Whether something may be posted to a path; all others are only read. */
export const takesPost = (value: BrowserPath): boolean => value.kind === "flags" || (value.kind === "nothing" && value.method === "POST");
