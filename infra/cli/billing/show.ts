import { type Answer, columns, type Run } from "../command.ts";
import { readOrganizations } from "./chosen-organizations.ts";
import { entryForm, readStatement, type Statement, totals } from "./statement.ts";

/** The accounts of one organization or of all: one is told with all its entries, of all each takes a line. */
export const showBilling: Run = async ({ world }, given) => {
  const statements = await readOrganizations(world, given, (organization) => readStatement(world, organization));
  const sums = totals(statements.flatMap(({ entries }) => entries));
  const json = { ...sums, organizations: statements.map(statementForm) };
  const [only] = statements;
  if (given.flags.organization !== undefined && only !== undefined) return { json, lines: detailLines(only) };
  const rows = json.organizations.map(({ id, name, state, status, owed_usd, overdue_usd, credit_usd, startup_application }) => [
    ...[id, state === "removed" ? `${name} (removed)` : name, status, owed_usd, overdue_usd, credit_usd],
    startup_application === null ? "" : "applies for startups",
  ]);
  const total = ["", "all", "", sums.owed_usd, sums.overdue_usd, sums.credit_usd, ""];
  return { json, lines: columns(["organization", "name", "account", "owed", "overdue", "credit", ""], [...rows, total]) };
};

const statementForm = ({ organization, account, entries }: Statement) => ({
  ...organization,
  status: account.status,
  startup_label: account.startup_label,
  startup_application: account.startup_application,
  startup_decision: account.startup_decision,
  ...totals(entries),
  entries: entries.map(entryForm),
});

const detailLines = ({ organization, account, entries }: Statement): readonly string[] => {
  const { owed_usd, overdue_usd, credit_usd } = totals(entries);
  const { status, startup_label, startup_application } = account;
  return [
    `${organization.name}: the account is ${status}.`,
    `It owes ${owed_usd} dollars, ${overdue_usd} of them overdue, and has ${credit_usd} dollars of credit.`,
    ...(startup_label === null ? [] : [`It is in the startup program, as ${startup_label}.`]),
    ...(startup_application === null ? [] : [`It applied for the startup program at ${startup_application.at}.`]),
    "",
    ...columns(
      ["id", "what", "state", "dollars", "since", ""],
      entries.map((entry) => Object.values(entryForm(entry))),
    ),
  ];
};

/** What is owed and overdue, of one organization or of all, the oldest first. */
export const listOverdue: Run = async ({ world }, given): Promise<Answer> => {
  const statements = await readOrganizations(world, given, (organization) => readStatement(world, organization));
  const found = statements
    .flatMap(({ organization, entries }) => entries.map((entry) => ({ organization, entry })))
    .filter(({ entry }) => entry.counts === "overdue")
    .toSorted((one, other) => one.entry.since - other.entry.since);
  const { overdue_usd } = totals(found.map(({ entry }) => entry));
  const overdue = found.map(({ organization: { id, name }, entry }) => ({ organization: id, name, ...entryForm(entry) }));
  if (overdue.length === 0) return { json: { overdue_usd, overdue }, lines: ["Nothing is overdue."] };
  const head = ["organization", "name", "id", "what", "state", "dollars", "since", ""];
  const total = ["", "", "", "all", "", overdue_usd, ""];
  return { json: { overdue_usd, overdue }, lines: columns(head, [...overdue.map((each) => Object.values(each)), total]) };
};
