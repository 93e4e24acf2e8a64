import type { AskingProject } from "./asking-project.ts";

/** Where a browser's SDK posts events to, below the ingest host. */
const EVENTS_PATH = "/i/v0/e/";

/** The configuration of a browser's SDK: autocapture on, and off whatever is not offered here, so that it asks for nothing that fails. */
export const remoteConfig = ({ token, autocaptureExceptions }: AskingProject) => ({
  token,
  supportedCompression: ["gzip", "gzip-js"],
  hasFeatureFlags: false,
  autocapture_opt_out: false,
  autocaptureExceptions,
  captureDeadClicks: false,
  capturePerformance: false,
  analytics: { endpoint: EVENTS_PATH },
  elementsChainAsString: true,
  errorTracking: { autocaptureExceptions, suppressionRules: [] },
  sessionRecording: false,
  heatmaps: false,
  surveys: false,
  productTours: false,
  conversations: false,
  logs: { captureConsoleLogs: false },
  defaultIdentifiedOnly: true,
  siteApps: [],
  isAuthenticated: false,
  toolbarParams: {},
});

/** The same as a script, which a page loads before it asks for anything. */
export const remoteConfigScript = (project: AskingProject): string =>
  `(function(){var c=window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{};c[${inScript(project.token)}]={config:${inScript(remoteConfig(project))},siteApps:[]};})();\n`;

/** JSON that may stand in a script wherever it is put, in a page too. */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** A request for flags, and the form in which the SDK reads the answer. */
export interface FlagsRequest {
  readonly path: "flags" | "decide";
  /** The `v` of the query; 1 where there is none. */
  readonly version: number;
  readonly withConfig: boolean;
  readonly project: AskingProject;
  readonly requestId: string;
  readonly now: number;
}

/** No flags, in the form of the version that is asked for: from each change of it on, SDKs read only the new form. */
export const noFlags = ({ path, version, withConfig, project, requestId, now }: FlagsRequest): object => ({
  ...(path === "decide" || withConfig ? remoteConfig(project) : {}),
  ...(path === "decide" && { config: { enable_collect_everything: true }, featureFlagPayloads: {} }),
  errorsWhileComputingFlags: false,
  ...(detailed(path, version) ? { flags: {} } : plain(path, version)),
  requestId,
  evaluatedAt: now,
});

const detailed = (path: FlagsRequest["path"], version: number): boolean => version >= (path === "flags" ? 2 : 4);

/** The first `decide` listed the names of flags that are on. */
const plain = (path: FlagsRequest["path"], version: number): object =>
  path === "decide" && version < 2 ? { featureFlags: [] } : { featureFlags: {}, featureFlagPayloads: {} };

/** The definitions by which server SDKs decide flags themselves: there are none. */
export const noDefinitions = () => ({ flags: [], group_type_mapping: {}, cohorts: {} });
