import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import { instrumented, type Mutant, mutantsOf } from "./mutants.ts";
import { type NamedMutation, namedMutant } from "./named-mutant.ts";
import type { Scope } from "./scope.ts";

/** A program with all its mutants in it, written beside it. */
export interface Sources {
  readonly scope: Scope;
  readonly mutants: readonly Mutant[];
  readonly texts: ReadonlyMap<string, string>;
  /** Where the files with the mutants lie, and what was learnt of them. */
  readonly folder: string;
}

/** Finds all mutants of a scope, those of its names first, and writes the files with them, unless they are there. */
export const sourcesOf = (scope: Scope, named: readonly NamedMutation[], cache: string): Sources => {
  const files = [...new Set([...scope.mutated, ...named.map(({ file }) => file)])];
  const texts = new Map(files.map((file) => [file, readFileSync(join(scope.root, file), "utf8")]));
  const found = [
    ...named.map((each) => namedMutant(each, texts.get(each.file) ?? "")),
    ...scope.mutated.flatMap((file) => mutantsOf(file, texts.get(file) ?? "")),
  ];
  const mutants = found.map((each, id): Mutant => ({ id, ...each }));
  const folder = join(cache, stateOf(scope, mutants));
  if (!existsSync(folder)) write(folder, texts, mutants);
  return { scope, mutants, texts, folder };
};

/** A name for the program and its mutants together, and what its tests are made of besides themselves. */
const stateOf = ({ root, besides }: Scope, mutants: readonly Mutant[]): string => {
  const hash = createHash("sha256").update(JSON.stringify(mutants)).update(process.version);
  for (const path of besides) hash.update(path).update(readFileSync(join(root, path)));
  return hash.digest("hex").slice(0, 16);
};

const write = (folder: string, texts: ReadonlyMap<string, string>, mutants: readonly Mutant[]): void => {
  const unfinished = `${folder}.${process.pid}`;
  const byFile = Map.groupBy(mutants, ({ file }) => file);
  for (const [file, text] of texts) {
    const path = join(unfinished, `${file}.js`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, stripTypeScriptTypes(instrumented(text, byFile.get(file) ?? [], (id) => `__m(${id})`)));
  }
  mkdirSync(unfinished, { recursive: true });
  renameSync(unfinished, folder);
};
