import { ADMIN, type Command } from "../command.ts";

const ORGANIZATION = { organization: "the organization's id (needed)" };

const ONE_OR_ALL = { organization: "the organization's id; all when left out" };

const SOME_ORGANIZATION = "--organization 0190d0aa-0000-7000-8000-000000000001";

const SOME_INVOICE = "20260701-00000001";

/**
 * The operator's commands on billing: what is owed and by whom, who waits for an answer, by which license an upstream billing service knows
 * the deployment, what is sold, and the invoices, credit and account of a customer.
 */
export const BILLING_COMMANDS: readonly Command[] = [
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
    flags: { ...ORGANIZATION, label: "what it is taken in as; when left out, the program that it applied for, or startup" },
    words: [0, 0],
    load: async () => (await import("./startups.ts")).approveStartup,
  },
  {
    name: "billing startups refuse",
    summary: "Refuses an application for the startup program; the organization can apply again",
    takes: "",
    example: `${ADMIN} billing startups refuse ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
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
  {
    name: "billing catalogue",
    summary: "Lists the versions of the price list, when each is in force, and how many organizations hold which plan",
    takes: "",
    example: `${ADMIN} billing catalogue`,
    flags: {},
    words: [0, 0],
    load: async () => (await import("../catalogue-command.ts")).listCatalogue,
  },
  {
    name: "billing pay",
    summary: "Marks an invoice, or a receivable such as bought credit, as paid",
    takes: "ID",
    example: `${ADMIN} billing pay ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("../billing-command.ts")).payInvoice,
  },
  {
    name: "billing void",
    summary: "Voids an unpaid invoice and gives back the credit that it used; or voids a receivable with its credit; or credit alone",
    takes: "ID",
    example: `${ADMIN} billing void ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("../billing-command.ts")).voidInvoice,
  },
  {
    name: "billing write-off",
    summary: "Writes off an overdue invoice, which ends the organization's subscription, or an overdue receivable",
    takes: "ID",
    example: `${ADMIN} billing write-off ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("../billing-command.ts")).writeOffInvoice,
  },
  {
    name: "billing collect",
    summary: "Tries again to collect an unpaid invoice, once the reason why the payment provider refused is repaired",
    takes: "ID",
    example: `${ADMIN} billing collect ${SOME_INVOICE} ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [1, 1],
    load: async () => (await import("../billing-command.ts")).collectInvoice,
  },
  {
    name: "billing suspend",
    summary: "Suspends an organization's account",
    takes: "",
    example: `${ADMIN} billing suspend ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [0, 0],
    load: async () => (await import("../billing-command.ts")).suspendAccount,
  },
  {
    name: "billing resume",
    summary: "Ends the suspension of an organization's account",
    takes: "",
    example: `${ADMIN} billing resume ${SOME_ORGANIZATION}`,
    flags: ORGANIZATION,
    words: [0, 0],
    load: async () => (await import("../billing-command.ts")).resumeAccount,
  },
  {
    name: "billing credit",
    summary: "Gives an organization credit",
    takes: "DOLLARS",
    example: `${ADMIN} billing credit 20.00 ${SOME_ORGANIZATION}`,
    flags: { ...ORGANIZATION, expires: "when it ends, such as 2027-01-01; never when left out" },
    words: [1, 1],
    load: async () => (await import("../billing-command.ts")).giveOrganizationCredit,
  },
];
