import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Part } from "./corpus/case.ts";
import type { Outcome } from "./outcome.ts";

export const PARTS: readonly Part[] = ["contract", "generated", "documented", "trends", "retention"];

const FOLDER = join(import.meta.dirname, "golden");

const fileOf = (part: Part): string => join(FOLDER, `${part}.json`);

/** What ClickHouse gave for the cases of a part, by name. The file is one that `writeGolden` wrote. */
export const readGolden = async (part: Part): Promise<Readonly<Record<string, Outcome>>> =>
  existsSync(fileOf(part)) ? (JSON.parse(await readFile(fileOf(part), "utf8")) as Record<string, Outcome>) : {};

/** One case a line, so that a change shows by name. */
export const writeGolden = async (part: Part, outcomes: Readonly<Record<string, Outcome>>): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const lines = Object.entries(outcomes).map(([name, outcome]) => `${JSON.stringify(name)}:${JSON.stringify(outcome)}`);
  await writeFile(fileOf(part), `{\n${lines.join(",\n")}\n}\n`);
};
