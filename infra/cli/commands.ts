import { ACCOUNT_COMMANDS } from "./billing/commands.ts";
import type { Command } from "./command.ts";

const ADMIN = "npm run --silent admin --";

const PROJECT = { project: "the project's id (needed)" };

const YES = { yes: "does it without asking" };

const ORGANIZATION = { organization: "the organization's id (needed)" };

const SOME_ORGANIZATION = "--organization 0190d0aa-0000-7000-8000-000000000001";

const SOME_INVOICE = "20260701-00000001";

/** The operator's commands on what is sold, and on a customer's billing. */
const BILLING_COMMANDS: readonly Command[] = [
  {
    name: "billing catalogue",
    summary: "Lists the versions of the price list, when each is in force, and how many organizations hold which plan",
    takes: "",
    example: `${ADMIN} billing catalogue`,
    flags: {},
    words: [0, 0],
    load: async () => (await import("./catalogue-command.ts")).listCatalogue,
  },
  {
    name: "billing pay",
    summary: "Writes down that an invoice, or a receivable such as bought credit, was paid",
    takes: "ID",
    example: `${ADMIN} billing pay ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("./billing-command.ts")).payInvoice,
  },
  {
    name: "billing void",
    summary: "Takes an unpaid invoice back, and with it what it used of credit; or a receivable with its credit; or credit alone",
    takes: "ID",
    example: `${ADMIN} billing void ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("./billing-command.ts")).voidInvoice,
  },
  {
    name: "billing write-off",
    summary: "Gives up on an overdue invoice, with which the organization's subscription ends, or on an overdue receivable",
    takes: "ID",
    example: `${ADMIN} billing write-off ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("./billing-command.ts")).writeOffInvoice,
  },
  {
    name: "billing collect",
    summary: "Has an unpaid invoice collected once more, when what the payment provider did not take is repaired",
    takes: "ID",
    example: `${ADMIN} billing collect ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("./billing-command.ts")).collectInvoice,
  },
  {
    name: "billing suspend",
    summary: "Suspends an organization's account",
    takes: "",
    example: `${ADMIN} billing suspend ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [0, 0],
    load: async () => (await import("./billing-command.ts")).suspendAccount,
  },
  {
    name: "billing resume",
    summary: "Lets a suspended account go on",
    takes: "",
    example: `${ADMIN} billing resume ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [0, 0],
    load: async () => (await import("./billing-command.ts")).resumeAccount,
  },
  {
    name: "billing credit",
    summary: "Gives an organization credit",
    takes: "DOLLARS",
    example: `${ADMIN} billing credit 20.00 ${SOME_ORGANIZATION}`,
    flags: { ...ORGANIZATION, expires: "when it ends, such as 2027-01-01; never when left out" },
    words: [1, 1],
    load: async () => (await import("./billing-command.ts")).giveOrganizationCredit,
  },
];

/** All commands, in the order in which help lists them. Each program is loaded only when it is run. */
export const COMMANDS: readonly Command[] = [
  {
    name: "apply",
    summary: "Makes the organizations, people, projects, keys, settings and prices of a document exist",
    takes: "FILE|-",
    example: `${ADMIN} apply infra/first-project.json`,
    flags: {},
    switches: { "dry-run": "checks the whole document and prints what it would make or change, writing nothing" },
    words: [1, 1],
    makes: (switches) => !switches.has("dry-run"),
    load: async () => (await import("./apply-command.ts")).apply,
  },
  {
    name: "keys list",
    summary: "Lists the personal keys and the projects' secret keys",
    takes: "",
    example: `${ADMIN} keys list --json`,
    flags: {},
    words: [0, 0],
    load: async () => (await import("./keys-command.ts")).listKeys,
  },
  {
    name: "keys revoke",
    summary: "Ends keys at once; applying a document that names them makes new ones",
    takes: "ID…",
    example: `${ADMIN} keys revoke 0195f2c8-9b5a-7000-8000-000000000001`,
    flags: {},
    words: [1, 100],
    load: async () => (await import("./keys-command.ts")).revokeKeys,
  },
  {
    name: "groups list",
    summary: "Lists a project's group types, and when events last used each",
    takes: "",
    example: `${ADMIN} groups list --project 1`,
    flags: PROJECT,
    words: [0, 0],
    load: async () => (await import("./groups-command.ts")).listGroups,
  },
  {
    name: "groups rename",
    summary: "Gives a group type another name; its events keep their groups",
    takes: "TYPE NAME",
    example: `${ADMIN} groups rename compnay company --project 1`,
    flags: PROJECT,
    words: [2, 2],
    load: async () => (await import("./groups-command.ts")).renameGroup,
  },
  {
    name: "groups remove",
    summary: "Frees the slot of a group type for the next one; what events say of it is shown under that one's name then",
    takes: "TYPE",
    example: `${ADMIN} groups remove junk --project 1`,
    flags: PROJECT,
    words: [1, 1],
    load: async () => (await import("./groups-command.ts")).removeGroup,
  },
  {
    name: "query",
    summary: "Runs a query over a project's events as a saved query runs, within the same limits, and writes nothing",
    takes: "SELECT…",
    example: `${ADMIN} query "SELECT event, count() FROM events GROUP BY event" --project 1`,
    flags: PROJECT,
    switches: { csv: "prints CSV" },
    words: [1, 1],
    load: async () => (await import("./query-command.ts")).query,
  },
  {
    name: "endpoints test",
    summary: "Runs a saved query both ways, live and materialised, and shows the rows side by side with the time and bytes of each",
    takes: "NAME",
    example: `${ADMIN} endpoints test events-by-day --project 1 --variables '{"event_name": "$pageview"}'`,
    flags: {
      ...PROJECT,
      version: "the version; the current one when left out",
      variables: "values of its variables, as a JSON object; stored defaults when left out",
    },
    words: [1, 1],
    load: async () => (await import("./endpoints-test-command.ts")).testEndpoint,
  },
  {
    name: "projects grouping",
    summary: "Shows by which version of the algorithm a project groups its exceptions, or has it go on by another; its issues keep theirs",
    takes: "",
    example: `${ADMIN} projects grouping --project 1 --version 2`,
    flags: { ...PROJECT, version: "the version to go on by, 1 or 2; only shown when left out" },
    words: [0, 0],
    load: async () => (await import("./grouping-command.ts")).chooseGrouping,
  },
  {
    name: "projects remove",
    summary: "Removes a project for ever: its keys and token stop at once, and all its data is deleted",
    takes: "ID",
    example: `${ADMIN} projects remove 7`,
    flags: {},
    switches: YES,
    words: [1, 1],
    load: async () => (await import("./remove-project-command.ts")).removeProject,
  },
  {
    name: "projects",
    summary: "Lists the projects with their organizations and how they group exceptions; their tokens are what SDKs send",
    takes: "",
    example: `${ADMIN} projects`,
    flags: {},
    words: [0, 0],
    load: async () => (await import("./projects-command.ts")).listProjects,
  },
  {
    name: "properties",
    summary: "Lists a project's properties with their types, and how many values do not fit them or the types that saved queries keep",
    takes: "",
    example: `${ADMIN} properties --project 1`,
    flags: PROJECT,
    words: [0, 0],
    load: async () => (await import("./properties-command.ts")).listProperties,
  },
  {
    name: "usage",
    summary:
      "Shows a project's usage by UTC day and type as it is billed, what waits to be gathered, what was dropped, and which of its jobs fail",
    takes: "",
    example: `${ADMIN} usage --project 1 --from 2026-11-01 --to 2026-11-30`,
    flags: { ...PROJECT, from: "the first day that is shown", to: "the last one" },
    words: [0, 0],
    load: async () => (await import("./usage-command.ts")).showUsage,
  },
  {
    name: "import",
    summary:
      "Imports events of files as history: our own export, PostHog's, Mixpanel's, Amplitude's, Segment's, CSV, Parquet; gzip and zstd",
    takes: "FILE…|s3://BUCKET/KEY…",
    example: `${ADMIN} import export/*.jsonl.gz --project 1 --dry-run`,
    flags: {
      ...PROJECT,
      form: "events, posthog, mixpanel, amplitude, segment or csv; found out when left out",
      map: "which column of a table is what: event=action,distinct_id=user,timestamp=at,properties.*=*",
      "group-type": "the group type of Segment's groups; company when left out",
      import: "a name of your own for the import; made of the files when left out",
      rejects: "the folder for the files of rejects; beside the files when left out",
    },
    switches: {
      "dry-run": "shows what the first records become, and what is refused and why, writing nothing",
      verify: "waits until all is stored, and compares it with the lake by day",
    },
    words: [1, 10_000],
    load: async () => (await import("./import-command.ts")).importEvents,
  },
  ...ACCOUNT_COMMANDS,
  ...BILLING_COMMANDS,
  {
    name: "redrive",
    summary: "Sends what the queues gave up on back to where it came from",
    takes: "",
    example: `${ADMIN} redrive`,
    flags: {},
    words: [0, 0],
    load: async () => (await import("./redrive-command.ts")).redrive,
  },
];
