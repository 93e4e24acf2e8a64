import { isEventResource } from "../../event/quota-resources.ts";
import type { Organization } from "../../organizations/organizations.ts";
import { type Letter, oneLine } from "../../ports/mail.ts";
import type { Alert } from "./alert.ts";

/** The letter of an alert: what was used of what, what follows, and where that is changed. `baseUrl` may be empty. */
export const alertLetter = (alert: Alert, organization: Organization, to: readonly string[], baseUrl: string): Letter => {
  const who = oneLine(organization.name);
  const product = oneLine(alert.name);
  const used = `${count(alert.usage)} of ${count(alert.limit)} ${things(alert)}`;
  return {
    to,
    subject: `${who}: ${SUBJECTS[alert.threshold](product)}`,
    text: [
      `${who} has used ${used} (${product}) in the billing period that ends on ${moment(alert.period_end)}.`,
      consequence(alert),
      `To change the limit or the plan, open Usage in the console${baseUrl && `, ${baseUrl}`}. Programs read and change both at ${baseUrl}/api/billing/.`,
      "You may see the billing of this organization, which is why you get this letter. It comes once in a period.",
    ].join("\n\n"),
  };
};

const SUBJECTS: Readonly<Record<Alert["threshold"], (product: string) => string>> = {
  80: (product) => `80 % of the limit of ${product} is used`,
  100: (product) => `the limit of ${product} is reached`,
  dropping: (product) => `${product} is above its limit`,
};

/** What follows from it, and from when on. */
const consequence = (alert: Alert): string => {
  switch (alert.threshold) {
    case "80":
      return "Nothing changes yet. You will be told when the limit is reached.";
    case "100":
      return alert.drops_from === null
        ? "Nothing is dropped as things stand."
        : `Nothing is dropped before ${moment(alert.drops_from)}. Unless the limit is raised, new ${things(alert)} are dropped from then on until the period ends.`;
    case "dropping":
      return isEventResource(alert.usage_key)
        ? `Unless the limit is raised, new ${things(alert)} are dropped from now on until the period ends, and cannot be brought back. What is stored already stays.`
        : "Unless the limit is raised, no more is to be used until the period ends.";
  }
};

const things = ({ usage_key }: Alert): string => usage_key.replaceAll("_", " ");

/** With a comma between thousands. */
const count = (units: number): string => units.toLocaleString("en-US");

const MINUTES = "2026-07-09T00:00".length;

/** As people read it: `2026-08-01 00:00 UTC`. */
const moment = (ms: number): string => `${new Date(ms).toISOString().slice(0, MINUTES).replace("T", " ")} UTC`;
