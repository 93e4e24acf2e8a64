import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { UserError } from "../local/user-error.ts";
import { applyDocument } from "./apply/apply.ts";
import type { Command } from "./command.ts";

export const applyCommand: Command = {
  name: "apply",
  summary: "Makes the organizations, people, projects, keys and settings of a document exist",
  takes: "FILE|-",
  example: "npm run --silent admin -- apply infra/first-project.json",
  flags: {},
  words: [1, 1],
  makes: true,
  async run({ world, forgetKeys }, { words: [file = "-"] }) {
    const tree = await applyDocument(world, parse(file, await read(file)));
    forgetKeys();
    return { json: tree, lines: [JSON.stringify(tree, null, 2)] };
  },
};

const read = async (file: string): Promise<string> => {
  if (file === "-") return text(process.stdin);
  return readFile(file, "utf8").catch(() => {
    throw new UserError(`The file ${file} cannot be read.`);
  });
};

const parse = (file: string, document: string): unknown => {
  try {
    return JSON.parse(document);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UserError(`${file === "-" ? "Standard input" : file} is no JSON: ${reason.replaceAll("\n", " ")}`);
  }
};
