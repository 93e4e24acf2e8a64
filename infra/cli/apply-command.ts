import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { notJson } from "../../lib/core/json-scan.ts";
import { UserError } from "../local/user-error.ts";
import { applyDocument } from "./apply/apply.ts";
import { type PlannedChange, planDocument } from "./apply/dry-run.ts";
import { columns, type Run } from "./command.ts";

export const apply: Run = async ({ world, forgetKeys }, { words: [file = "-"], switches }) => {
  const document = parse(file, await read(file));
  if (switches.has("dry-run")) {
    const planned = await planDocument(world, document);
    return { json: planned, lines: plannedLines(planned) };
  }
  const tree = await applyDocument(world, document);
  forgetKeys();
  return { json: tree, lines: [JSON.stringify(tree, null, 2)] };
};

const plannedLines = (planned: readonly PlannedChange[]): readonly string[] =>
  planned.length === 0
    ? ["Everything in the document is there already."]
    : columns(
        ["", "what", "name", "of", "changes"],
        planned.map(({ change, what, name, of, attributes }) => [change, what, name, of, attributes.join(", ")]),
      );

const read = async (file: string): Promise<string> => {
  if (file === "-") return text(process.stdin);
  return readFile(file, "utf8").catch(() => {
    throw new UserError(`The file ${file} cannot be read.`);
  });
};

const parse = (file: string, document: string): unknown => {
  try {
    return JSON.parse(document);
  } catch {
    throw new UserError(`${file === "-" ? "Standard input" : file} ${notJson(document)}.`);
  }
};
