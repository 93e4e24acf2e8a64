import type { Command } from "../command.ts";

const ADMIN = "npm run --silent admin --";

const ONE = { organization: "the organization's id (needed)" };

const ONE_OR_ALL = { organization: "the organization's id; all when left out" };

const SOME_ORGANIZATION = "--organization 0190d0aa-0000-7000-8000-000000000001";

/** What is owed and by whom, who waits for an answer, and by which license an upstream billing service knows the deployment. */
export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: "billing show",
    summary: "Shows what organizations owe and have of credit; of one, all its invoices, payments and credit",
    takes: "",
    example: `${ADMIN} billing show ${SOME_ORGANIZATION}`,
    flags: ONE_OR_ALL,
    words: [0, 0],
    load: async () => (await import("./show.ts")).showBilling,
  },
  {
    name: "billing overdue",
    summary: "Lists what is owed and overdue, the oldest first",
    takes: "",
    example: `${ADMIN} billing overdue`,
    flags: ONE_OR_ALL,
    words: [0, 0],
    load: async () => (await import("./show.ts")).listOverdue,
  },
  {
    name: "billing startups approve",
    summary: "Takes an organization that applied into the startup program",
    takes: "",
    example: `${ADMIN} billing startups approve ${SOME_ORGANIZATION} --label YC`,
    flags: { ...ONE, label: "what it is taken in as; when left out, the program that it applied for, or startup" },
    words: [0, 0],
    load: async () => (await import("./startups.ts")).approveStartup,
  },
  {
    name: "billing startups refuse",
    summary: "Refuses an application for the startup program; the organization can apply again",
    takes: "",
    example: `${ADMIN} billing startups refuse ${SOME_ORGANIZATION}`,
    flags: ONE,
    words: [0, 0],
    load: async () => (await import("./startups.ts")).refuseStartup,
  },
  {
    name: "billing startups",
    summary: "Lists the applications for the startup program that wait for an answer",
    takes: "[list]",
    example: `${ADMIN} billing startups`,
    flags: ONE_OR_ALL,
    words: [0, 1],
    load: async () => (await import("./startups.ts")).listStartups,
  },
  {
    name: "license install",
    summary: "Installs the license by which an upstream billing service knows the deployment",
    takes: "ID::SECRET",
    example: `${ADMIN} license install acme::0123456789abcdef`,
    flags: {},
    words: [1, 1],
    load: async () => (await import("./license.ts")).installLicense,
  },
  {
    name: "license show",
    summary: "Shows the id of that license, and where it comes from",
    takes: "",
    example: `${ADMIN} license show`,
    flags: {},
    words: [0, 0],
    load: async () => (await import("./license.ts")).showLicense,
  },
  {
    name: "license remove",
    summary: "Removes that license, or the one that an organization installed, so that another can be installed",
    takes: "",
    example: `${ADMIN} license remove`,
    flags: { organization: "the organization whose own license is meant; the deployment's when left out" },
    words: [0, 0],
    load: async () => (await import("./license.ts")).removeLicense,
  },
];
