import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { PARTITIONS, type PartitionName, partitionNames } from "../../lib/table/partitions.ts";

/** Why a function touches some partitions, where no recorded operation of its group shows it. */
interface Reason {
  readonly because: string;
  readonly of: readonly PartitionName[];
}

const QUERY: Reason = { because: "what a query reads of the table", of: RUN_PARTITIONS };
const SLOTS: Reason = { because: "the places that runs take", of: ["project"] };

const INGEST: readonly Reason[] = [
  { because: "whose events they are, and how the project is set up", of: ["tokens", "project"] },
  { because: "commits of what is stored, and the types of properties", of: ["lake"] },
  { because: "groups that are accounts are kept as such", of: ["accounts", "accountIds"] },
  {
    because: "exceptions are grouped into issues, counted and told of",
    of: [
      "issues",
      "fingerprints",
      "mergedIssues",
      "issueFingerprints",
      "issueActivity",
      "issueAlerts",
      "issueCount",
      "fingerprintCount",
      "exceptionLimits",
      "exceptionCounts",
      "spikes",
      "snoozes",
    ],
  },
  { because: "the project's rules and settings, which a faulty rule is put out of", of: ["errorTracking"] },
  {
    because: "frames are named by what was uploaded for them",
    of: ["stackFrames", "stackFrameCount", "symbolSets", "symbolSetRefs", "releases", "releaseHashes"],
  },
  { because: "rows of exceptions that are not read yet", of: ["unreadExceptions"] },
  { because: "which imports came", of: ["imports", "importCount"] },
];

const ENDING = partitionNames.filter((name) =>
  ["with its organization", "with its project", "enumerate"].includes(PARTITIONS[name].onRemoval),
);

/** By the name of the function. */
export const REASONS: Readonly<Record<string, readonly Reason[]>> = {
  capture: [
    { because: "whose events a token brings", of: ["tokens"] },
    { because: "which of the project's events are over their limit", of: ["project"] },
  ],
  browser: [{ because: "whether a token is a project's", of: ["tokens"] }],
  billing: [
    { because: "limits that a change sets anew mark the organization and its projects", of: ["organization", "project"] },
    { because: "numbers of invoices", of: ["sequences"] },
    { because: "a command that is repeated is answered as before", of: ["commandReplays"] },
    { because: "what a period takes of credit", of: ["creditUses"] },
    { because: "limits that are crossed are told of", of: ["alerts"] },
    { because: "a claim counts on its code", of: ["couponCodes"] },
    { because: "the license by which an upstream service knows the deployment", of: ["license"] },
  ],
  code: [{ because: "the license by which an upstream service knows the deployment", of: ["license"] }],
  endpoints: [{ because: "whether a table that is switched on can be made at once", of: ["lanes"] }],
  "endpoint-runs": [QUERY],
  "endpoint-trials": [QUERY, SLOTS],
  query: [
    QUERY,
    SLOTS,
    { because: "a trial of a rule compares it with those that are there", of: ["errorTracking"] },
    { because: "who is to be erased, and how far that is", of: ["erasures"] },
  ],
  "llm-analytics": [QUERY, SLOTS],
  "shared-dashboards": [QUERY],
  "issue-list": [QUERY, SLOTS],
  iceberg: [
    { because: "who calls", of: [...CALLER_PARTITIONS.read, ...CALLER_PARTITIONS.write] },
    { because: "which metadata of a table are the newest", of: ["lake"] },
  ],
  dashboards: [{ because: "the link that opens a dashboard to everybody", of: ["sharedLinks"] }],
  "error-tracking": [
    { because: "the issue that is linked to something outside already", of: ["externalLinks"] },
    { because: "frames and spikes of issues that are merged, split or deleted", of: ["stackFrames", "stackFrameCount", "spikes"] },
    {
      because: "lengths of lists",
      of: ["fingerprintCount", "groupingRuleCount", "assignmentRuleCount", "alertRuleCount", "severityRuleCount"],
    },
  ],
  organizations: [
    { because: "who asked for it already", of: ["aiAccessRequests"] },
    { because: "lengths of lists", of: ["ownedOrganizationCount", "domainCount"] },
  ],
  keys: [{ because: "lengths of lists", of: ["personalKeyCount", "secretKeyCount"] }],
  "ingest-live": INGEST,
  "ingest-historical": INGEST,
  jobs: [
    { because: "compaction, folding, audits and removals of the lake", of: ["lake"] },
    { because: "usage is rolled up", of: ["usage"] },
    { because: "which limits a usage crosses", of: ["billing", "invoices", "catalogues", "organization", "project"] },
    { because: "whose turn it is", of: ["lanes"] },
    { because: "tokens of closed projects", of: ["tokens"] },
    { because: "the removal of an organization", of: ENDING },
  ],
  tables: [
    QUERY,
    { because: "which tables are due, and how their runs went", of: ["project"] },
    { because: "whose turn it is", of: ["lanes"] },
    { because: "whether the organization is still there", of: ["organization"] },
  ],
  sweep: [
    { because: "what waits, fails or is to be looked at", of: ["lake"] },
    { because: "which usage is to be counted again", of: ["usage"] },
    { because: "removals that are not finished", of: ["organization"] },
    { because: "tables that are due, and whose a project is", of: ["project"] },
    { because: "whether tables that are due can be made at once", of: ["lanes"] },
    { because: "merges that are still to be carried through", of: ["mergedIssues"] },
    { because: "where the last sweep had no time left", of: ["sweep"] },
  ],
  closing: [
    {
      because: "invoices of periods that are over, their payments and credit",
      of: ["billing", "invoices", "payments", "creditUses", "commandReplays", "sequences", "catalogues", "usage"],
    },
    { because: "what customers are told", of: ["notices"] },
    { because: "usage is reported to an upstream service", of: ["organization", "project", "license"] },
  ],
  notices: [
    { because: "what is due to be told, and how that went", of: ["alerts", "notices", "issueAlerts"] },
    { because: "where it is sent", of: ["webhooks", "errorTracking", "organization", "project", "users"] },
  ],
};
