import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endGroups } from "../support/processes/process-group.ts";
import { chosen } from "./choose.ts";
import { HARMLESS } from "./harmless/index.ts";
import { type Fate, killer } from "./kill.ts";
import { learn } from "./learn.ts";
import { type Mutant, mutantsOf, proposedMutants, shownChange } from "./mutants.ts";
import { NAMED } from "./named.ts";
import { type NamedMutation, namedMutant } from "./named-mutant.ts";
import { report, stale } from "./report.ts";
import type { Scope } from "./scope.ts";
import { type Sources, sourcesOf } from "./sources.ts";

const ROOT = `${join(import.meta.dirname, "toy")}/`;
const TOY: Scope = {
  root: ROOT,
  mutated: ["total.ts"],
  tests: ["total.test.ts"],
  besides: ["total.ts", "test/simulation/simulate.ts"],
};
const FREE_POSTAGE: NamedMutation = {
  name: "postage that nobody pays",
  file: "total.ts",
  original: "  return sum + POSTAGE;",
  replaced: "  return sum;",
};

const cache = mkdtempSync(join(tmpdir(), "mutate-test-"));
const sources: Sources = sourcesOf(TOY, [FREE_POSTAGE], cache);
const source = sources.texts.get("total.ts") ?? "";
afterAll(() => {
  endGroups();
  rmSync(cache, { recursive: true, force: true });
});

const mutantThat = (mutator: string, after: string): Mutant => {
  const found = sources.mutants.find((each) => each.mutator === mutator && shownChange(source, each).after === after);
  if (found === undefined) throw new Error(`there is no mutant ${after}`);
  return found;
};

describe("a mutant of a small program", () => {
  const fates = new Map<string, Fate>();
  const asked = {
    sum: mutantThat("arithmetic", "const sum = prices.reduce((all, price) => all - price, 0);"),
    bound: mutantThat("boundary", "if (sum > FREE_FROM) return sum;"),
    order: mutantThat(
      "sort direction",
      "export const cheapest = (prices: readonly number[]): number | undefined => prices.toSorted((a, b) => a - b).reverse()[0];",
    ),
    constant: mutantThat("literal", "const POSTAGE = 6;"),
    named: mutantThat(FREE_POSTAGE.name, "return sum;"),
  };
  beforeAll(async () => {
    const learnt = await learn(sources, 5, 1, () => undefined);
    const one = killer(sources, learnt);
    for (const [name, mutant] of Object.entries(asked)) fates.set(name, await one.fateOf(mutant));
    one.end();
  });

  const test = "a small order pays its postage, a large one does not";
  it("is killed by a test that notices it", () => expect(fates.get("sum")).toEqual({ kind: "tests", by: test }));
  it("is killed by the seed that notices it where no test does", () =>
    expect(fates.get("bound")).toEqual({ kind: "simulation", by: "seed 3" }));
  it("survives where nothing gets to it", () => expect(fates.get("order")).toEqual({ kind: "survived", reached: false }));
  it("is killed in what is computed while the program is loaded", () => expect(fates.get("constant")).toEqual({ kind: "tests", by: test }));
  it("is killed when it was thought of by somebody", () => expect(fates.get("named")).toEqual({ kind: "tests", by: test }));
});

describe("what tests and seeds get to", () => {
  it("is learnt once for a program: again for a test that changed, and for nothing else", async () => {
    const [known, said] = [mkdtempSync(join(tmpdir(), "mutate-test-")), [] as string[]];
    const toy = { ...TOY, root: `${join(known, "toy")}/` };
    cpSync(ROOT, toy.root, { recursive: true });
    symlinkSync(join(import.meta.dirname, "..", "..", "node_modules"), join(known, "node_modules"));
    const learnAgain = () => learn(sourcesOf(toy, [], join(known, "cache")), 2, 1, (line) => said.push(line));
    const first = await learnAgain();
    expect(await learnAgain()).toEqual(first);
    appendFileSync(join(toy.root, "total.test.ts"), "// Another one.\n");
    await learnAgain();
    const [tests, seeds] = ["running 1 test files once, to learn what each gets to", "running 2 seeds once, to learn what each gets to"];
    expect(said).toEqual([tests, seeds, tests]);
    rmSync(known, { recursive: true });
  });
});

describe("which mutants there are", () => {
  it("is the same each time", () => expect(mutantsOf("total.ts", source)).toEqual(mutantsOf("total.ts", source)));
  it("is drawn by a seed, and the same seed draws the same", () => {
    const draw = (seed: number) => chosen(sources.mutants, { files: [], sample: 5, seed }).map(({ id }) => id);
    expect(draw(1)).toHaveLength(5);
    expect(draw(1)).toEqual(draw(1));
    expect([2, 3, 4, 5].map(draw)).not.toEqual([draw(1), draw(1), draw(1), draw(1)]);
  });
  it("goes by the names of the files", () => {
    expect(chosen(sources.mutants, { files: ["other/*.ts"], sample: null, seed: 1 })).toEqual([]);
    expect(chosen(sources.mutants, { files: ["*.ts"], sample: null, seed: 1 })).toEqual(sources.mutants);
  });
  it("leaves errors, logs and types alone", () => {
    const text =
      'export const f = (x: 1 | 2): void => {\n  if (x === 1) throw new Defect("one" + 1);\n  log.line("error", { at: 1 });\n};\n';
    const changed = mutantsOf("f.ts", text).map((each) => each.text);
    expect(changed.toSorted()).toEqual(["", "0", "false", "true", "x !== 1", "{}"]);
  });
});

describe("a change with a name", () => {
  it.each(NAMED)("is one of the program as it stands: $name", (named) => {
    const text = readFileSync(join(import.meta.dirname, "..", "..", named.file), "utf8");
    expect(namedMutant(named, text).text).not.toBe("");
  });
  it("fails where its text is not there any more", () =>
    expect(() => namedMutant({ ...FREE_POSTAGE, original: "return sum + FEE;" }, source)).toThrow("has no such text any more"));
  it("fails where its text is there twice", () =>
    expect(() => namedMutant({ ...FREE_POSTAGE, original: "return sum" }, source)).toThrow("more than once"));
  it("fails where it leaves no program", () =>
    expect(() => namedMutant({ ...FREE_POSTAGE, replaced: "return (" }, source)).toThrow("leaves no program"));
  it("may take a whole statement away", () =>
    expect(namedMutant({ ...FREE_POSTAGE, original: "  if (sum >= FREE_FROM) return sum;\n", replaced: "" }, source).kind).toBe("block"));
});

describe("what is listed as harmless", () => {
  it("is a change of the program as it stands", () => {
    const files = [...new Set(HARMLESS.map(({ file }) => file))];
    const texts = new Map(files.map((file) => [file, readFileSync(join(import.meta.dirname, "..", "..", file), "utf8")]));
    const proposed = [...texts].flatMap(([file, text]) => proposedMutants(file, text));
    expect(stale(HARMLESS, proposed, texts)).toEqual([]);
  });
});

describe("a report", () => {
  const bound = mutantThat("boundary", "if (sum > FREE_FROM) return sum;");
  const sum = mutantThat("arithmetic", "const sum = prices.reduce((all, price) => all - price, 0);");
  const fated = [
    { mutant: bound, fate: { kind: "survived", reached: true } },
    { mutant: sum, fate: { kind: "tests", by: "a test" } },
  ] as const;
  const harmless = {
    file: "total.ts",
    line: "if (sum >= FREE_FROM) return sum;",
    mutator: "boundary",
    why: "Nobody orders for just that.",
  };

  it("fails below nine tenths and shows what survived", () => {
    const { lines, isGood } = report(fated, sources.texts, []);
    expect(isGood).toBe(false);
    expect(lines[0]).toBe("survived total.ts:7  boundary\n  - if (sum >= FREE_FROM) return sum;\n  + if (sum > FREE_FROM) return sum;");
  });
  it("does not count what is listed as harmless, and says how many are", () => {
    const { lines, isGood } = report(fated, sources.texts, [harmless]);
    expect(isGood).toBe(true);
    expect(lines.at(-1)).toContain("1 survivors are listed as harmless; without them 100.0 %");
  });
  it("names what is listed and not there any more", () => {
    const old = { ...harmless, line: "if (sum >= 100) return sum;" };
    expect(stale([harmless, old], sources.mutants, sources.texts)).toEqual([old]);
  });
});
