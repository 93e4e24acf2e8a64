import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { notJson } from "../../lib/core/json-scan.ts";
import { UserError } from "../local/user-error.ts";
import { checkDocument } from "./apply/apply.ts";
import { type PlannedChange, planDocument } from "./apply/dry-run.ts";
import { applyAll, checkQueries } from "./apply/queries.ts";
import { columns, type Run } from "./command.ts";
import { priceLines } from "./price-lines.ts";

export const apply: Run = async ({ world, forgetKeys }, { words: [file = "-"], switches }) => {
  const document = parse(file, await read(file));
  if (switches.has("dry-run")) {
    const planned = await planDocument(world, document);
    return { json: planned, lines: plannedLines(planned) };
  }
  const checked = await checkDocument(world, document);
  await checkQueries(world, checked);
  const tree = await applyAll(world, checked);
  forgetKeys();
  return { json: tree, lines: [JSON.stringify(tree, null, 2)] };
};

const plannedLines = (planned: readonly PlannedChange[]): readonly string[] => {
  if (planned.length === 0) return ["Everything in the document is there already."];
  const rows = planned.map(({ change, what, name, of, attributes }) => [change, what, name, of, attributes.join(", ")]);
  const lists = planned.flatMap(({ price_list }) => (price_list === undefined ? [] : ["", ...priceLines(price_list)]));
  return [...columns(["", "what", "name", "of", "changes"], rows), ...lists];
};

const read = async (file: string): Promise<string> => {
  if (file === "-") return text(process.stdin);
  const bytes = await readFile(file).catch(() => {
    throw new UserError(`The file ${file} cannot be read.`);
  });
  // Without the mark that some editors put first, as standard input is read.
  return new TextDecoder().decode(bytes);
};

const parse = (file: string, document: string): unknown => {
  try {
    return JSON.parse(document);
  } catch {
    throw new UserError(`${file === "-" ? "Standard input" : file} ${notJson(document)}.`);
  }
};
