import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { packAst, unpackAst } from "../../lib/endpoints/query/stored-ast.ts";
import type { Ast } from "../../lib/hogql/ast.ts";
import type { Case, Part } from "./corpus/case.ts";
import type { Outcome } from "./outcome.ts";

/** What ClickHouse gave for a case, and for a query its tree as a version stores it: parsing all of them takes half a minute. */
export interface GoldenCase {
  /** Of the case, so that one that was changed since is found. */
  readonly digest: string;
  readonly tree?: string;
  readonly theirs: Outcome;
}

export const PARTS: readonly Part[] = ["contract", "generated", "documented", "trends", "retention"];

const FOLDER = join(import.meta.dirname, "golden");

const fileOf = (part: Part): string => join(FOLDER, `${part}.json`);

export const goldenOf = (asked: Case, queries: readonly Ast[], theirs: Outcome): GoldenCase => {
  const [query] = queries;
  return {
    digest: digestOf(asked),
    ...("query" in asked && query !== undefined ? { tree: Buffer.from(packAst(query)).toString("base64") } : {}),
    theirs: "refused" in theirs ? { refused: "" } : theirs,
  };
};

export const digestOf = (asked: Case): string => createHash("sha256").update(JSON.stringify(asked)).digest("base64url").slice(0, 12);

export const treeOf = ({ tree }: GoldenCase): Ast | undefined => (tree === undefined ? undefined : unpackAst(Buffer.from(tree, "base64")));

/** By name. The file is one that `writeGolden` wrote. */
export const readGolden = async (part: Part): Promise<Readonly<Record<string, GoldenCase>>> =>
  existsSync(fileOf(part)) ? (JSON.parse(await readFile(fileOf(part), "utf8")) as Record<string, GoldenCase>) : {};

/** One case a line, so that a change shows by name. */
export const writeGolden = async (part: Part, cases: Readonly<Record<string, GoldenCase>>): Promise<void> => {
  await mkdir(FOLDER, { recursive: true });
  const lines = Object.entries(cases).map(([name, golden]) => `${JSON.stringify(name)}:${JSON.stringify(golden)}`);
  await writeFile(fileOf(part), `{\n${lines.join(",\n")}\n}\n`);
};
