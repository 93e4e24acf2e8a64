export const TITLE = "Analytics platform";

export const DESCRIPTION =
  "Capture of events, saved query endpoints and what belongs to them. Every path may be written with or without its final slash. " +
  "Errors carry a type, a code, a sentence and, where one field is wrong, its name.";

/** What the operations of each tag are about. */
export const TAGS: Readonly<Record<string, string>> = {
  capture: "Events from SDKs: the ingest host.",
  billing: "Subscriptions, use and what it costs, credits and invoices.",
  code: "What the desktop application asks: prices of sandboxes and access.",
  endpoints: "Queries saved under a name and run over HTTP.",
  quota_limits: "Which resources of a project are used up.",
  schema: "The description of the API.",
};
