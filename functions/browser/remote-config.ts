/** Where a browser's SDK posts events to, below the ingest host. */
const EVENTS_PATH = "/i/v0/e/";

/** What a browser's SDK is told to do: autocapture on, and off whatever is not offered here, so that it asks for nothing that fails. */
export const remoteConfig = (token: string) => ({
  token,
  supportedCompression: ["gzip", "gzip-js"],
  hasFeatureFlags: false,
  autocapture_opt_out: false,
  autocaptureExceptions: false,
  captureDeadClicks: false,
  capturePerformance: false,
  analytics: { endpoint: EVENTS_PATH },
  elementsChainAsString: true,
  errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
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
export const remoteConfigScript = (token: string): string =>
  `(function(){var c=window._POSTHOG_REMOTE_CONFIG=window._POSTHOG_REMOTE_CONFIG||{};c[${inScript(token)}]={config:${inScript(remoteConfig(token))},siteApps:[]};})();\n`;

/** JSON that may stand in a script wherever it is put, in a page too. */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
