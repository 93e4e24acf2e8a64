/** Where a browser's SDK posts events to, below the ingest host. */
const EVENTS_PATH = "/i/v0/e/";

/** Who asks, and what the project has set. */
export interface AskingProject {
  readonly token: string;
  readonly autocaptureExceptions: boolean;
}

/** What a browser's SDK is told to do: autocapture on, and off whatever is not offered here, so that it asks for nothing that fails. */
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
