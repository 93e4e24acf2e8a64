export const TITLE = "Analytics platform";

export const DESCRIPTION =
  "Capture of events, saved query endpoints and what belongs to them. Every path may be written with or without its final slash, and with `environments` in the place of `projects`. " +
  "Errors carry a type, a code, a sentence and, where one field is wrong, its name.";

/** What the operations of each tag are about. */
export const TAGS: Readonly<Record<string, string>> = {
  capture: "Events from SDKs: the ingest host.",
  "customer analytics": "Accounts: the groups that a project's customers are. Called with a project's secret key.",
  billing: "Subscriptions, use and what it costs, credits and invoices.",
  code: "What the desktop application asks: prices of sandboxes and access.",
  endpoints: "Queries saved under a name and run over HTTP.",
  keys: "The keys of a person and of a project: each key makes only keys that can do no more than itself.",
  "llm analytics": "What a person spent on LLMs.",
  organizations: "Organizations, their settings and members, and their OAuth applications.",
  quota_limits: "Which resources of a project are used up.",
  schema: "The description of the API.",
};
