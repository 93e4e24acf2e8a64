import { execFile } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

const run = promisify(execFile);

/** What a program of this folder says at its end. */
export const program = async (name: string, ...words: readonly string[]): Promise<unknown> => {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, name), ...words]);
  return JSON.parse(stdout);
};

const Imported = z.object({ exitCode: z.number(), peakKb: z.number() });

/** Runs the command with these words, in a process of its own. Throws where a record was refused or is not stored. */
export const runImport = async (...words: readonly string[]): Promise<{ readonly peakKb: number }> => {
  const { exitCode, peakKb } = Imported.parse(await program("import-case.ts", ...words));
  if (exitCode !== 0) throw new Error(`the import ended with ${exitCode}`);
  return { peakKb };
};

/** A file of so many lines; returns its path. */
export const writeLines = async (path: string, count: number, line: (number: number) => string): Promise<string> => {
  const file = createWriteStream(path);
  for (let number = 0; number < count; number += 1) if (!file.write(`${line(number)}\n`)) await once(file, "drain");
  file.end();
  await once(file, "close");
  return path;
};
