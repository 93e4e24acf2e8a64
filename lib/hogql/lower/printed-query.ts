import type { LoweringContext } from "../analysis/context.ts";
import { finished } from "../analysis/scans.ts";
import type { LoweredQuery } from "../lowered-query.ts";
import { print } from "../sql/print.ts";
import { survey } from "../sql/survey.ts";
import type { PrintedParts } from "./queries/partial-query.ts";

/** The text of a whole query, with its parameters, and its scans with the columns that the text names. */
export const printedQuery = (
  context: LoweringContext,
  { shared, body }: PrintedParts,
): Pick<LoweredQuery, "ctes" | "sql" | "parameters" | "scans"> => {
  const pieces = [...shared, body];
  const found = survey(pieces);
  const { texts, parameters } = print(pieces, found, context.checkText);
  return {
    ...(texts.length > 1 ? { ctes: texts.slice(0, -1) } : {}),
    sql: texts.at(-1) ?? "",
    parameters,
    scans: context.scans.map((scan) => finished(scan, [...(found.columns.get(scan.name) ?? [])])),
  };
};
