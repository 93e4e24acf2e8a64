import type { Group } from "../../lib/app/routes.ts";
import type { StoredQuery } from "../../lib/endpoints/definition.ts";
import { type Hosts, hostedText, UNKNOWN_HOSTS } from "./hosts.ts";

/** Gives the API's description, OpenAPI as JSON, under these addresses. */
export type Describe = (hosts: Hosts) => Promise<string>;

/**
 * The description as the registry makes it, once for all requests. It is given the registry because the registry holds the group that
 * serves it.
 */
export const describeGroups = (groups: () => readonly Group[]): Describe => {
  const underHosts = hostedText();
  let text: Promise<string> | undefined;
  return async (hosts) => {
    text ??= descriptionText(groups());
    return underHosts(await text, hosts);
  };
};

const descriptionText = async (groups: readonly Group[]): Promise<string> => {
  const [{ openapi }, { FIELDS }, { recordedExamples, withExamples }] = await Promise.all([
    import("../../lib/http/openapi.ts"),
    import("./fields.ts"),
    import("./examples.ts"),
  ]);
  const document = openapi(groups, { title: TITLE, description: DESCRIPTION, tags: TAGS, fields: FIELDS, ...UNKNOWN_HOSTS });
  return JSON.stringify(withExamples(document, await recordedExamples()));
};

const TITLE = "Analytics platform";

const DESCRIPTION =
  "Capture of events, saved query endpoints and what belongs to them. Every path may be written with or without its final slash, and those of saved queries and of error tracking with `environments` in the place of `projects`. " +
  "Errors carry a type, a code, a sentence and, where one field is wrong, its name. " +
  "Below `/iceberg/v1/` lies a catalogue of open tables, which Apache Iceberg's REST API describes and this does not.";

const QUERIES: Readonly<Record<StoredQuery["kind"], string>> = {
  HogQLQuery: "SQL with variables",
  TrendsQuery: "trends",
  RetentionQuery: "retentions",
};

const LISTED = new Intl.ListFormat("en-GB");

/** The subject of the operations of each tag, in the order of the documentation. */
export const TAGS: Readonly<Record<string, string>> = {
  Capture: "Events from SDKs and imports, sent to the ingest host with a project's token. Nothing that was answered with 200 is lost.",
  Endpoints:
    `Queries saved under a name, with versions, run over HTTP: ${LISTED.format(Object.values(QUERIES))}. ` +
    "A version may keep a table of its own.",
  Queries: "Queries that are run without being saved, and the names that one can be written with.",
  Persons: "Who the events are of: found by id, distinct id, e-mail address or property, with their properties and what they did.",
  Health: "Whether the events of a project are stored in time, what waits or fails, and how what was given up on is tried again.",
  Dashboards:
    "Pages of tiles, each the rows of a saved endpoint and how they are drawn, with one range of dates for all, and their public links.",
  "Error tracking":
    "Issues made of `$exception` events, and what decides about them: fingerprints, grouping, severity and assignment rules, limits, spikes, releases, stack frames and issues at providers.",
  Organizations: "Organizations, their settings, members and verified domains, and their OAuth applications.",
  Keys: "The keys of a person and of a project: each key makes only keys that can do no more than itself.",
  Billing: "Subscriptions, usage and what it costs, limits, coupons, credits and invoices of an organization.",
  "Quota limits": "Which resources of a project are used up, so that what is sent of them is dropped.",
  "Customer analytics": "Accounts: the groups that a project's customers are. Called with a project's secret key.",
  "LLM analytics": "What a person spent on LLMs, by product, tool, model, day and trace.",
  Code: "What the desktop application asks: prices of sandboxes and whether the caller may use it.",
  "API description": "This description, from which clients and documentation are generated.",
};
