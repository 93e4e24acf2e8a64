import type { World } from "../../lib/app/world.ts";
import { type CsvField, csvLine } from "../../lib/core/csv.ts";
import { isExactNumber } from "../../lib/core/exact-json.ts";
import { type TrialRows, textRows } from "../../lib/endpoints/trial-runs.ts";
import { QueryError, withCaret } from "../../lib/hogql/errors.ts";
import { ApiError } from "../../lib/http/errors.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { readOnlyTable } from "./read-only-table.ts";
import { whenFree } from "./when-free.ts";

export const query: Run = async (target, { words: [text = ""], flags, switches }) => {
  const world = { ...target.world, table: readOnlyTable(target.world.table) };
  const project = await chosenProject(world.table, flags.project);
  const { columns: found, rows } = await answerQuery(world, project, text);
  const head = found.map(({ name }) => name);
  const cells = rows.map((row): readonly unknown[] => Object.values(row));
  return {
    json: { columns: head, types: found.map(({ name, type }) => [name, type]), results: rows },
    lines: switches.has("csv")
      ? [csvLine(head), ...cells.map((row) => csvLine(row.map(field)))]
      : columns(
          head,
          cells.map((row) => row.map(shown)),
        ),
  };
};

/** Answers a query as if it were saved with this text. Throws a `UserError` with the sentence for its author. */
const answerQuery = async (world: World, project: { readonly id: number; readonly timezone: string }, text: string): Promise<TrialRows> => {
  try {
    return await whenFree(() => textRows(world, project, text));
  } catch (thrown) {
    if (thrown instanceof ApiError) throw new UserError(thrown.message);
    if (thrown instanceof QueryError) throw new UserError(withCaret(thrown, text));
    throw thrown;
  }
};

const shown = (cell: unknown): string => (cell === null ? "NULL" : typeof cell === "object" ? JSON.stringify(cell) : String(cell));

const field = (cell: unknown): CsvField => {
  if (typeof cell === "number" || isExactNumber(cell)) return cell;
  return cell === null ? "" : shown(cell);
};
