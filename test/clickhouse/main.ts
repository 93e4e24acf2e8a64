import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fetchLibrary } from "../../infra/local/clickhouse/library.ts";
import { thrownMessage } from "../../lib/core/thrown-message.ts";
import type { Ast } from "../../lib/hogql/ast.ts";
import type { Golden } from "../golden/harness.ts";
import { type ClickHouse, startClickHouse } from "./clickhouse.ts";
import type { Case } from "./corpus/case.ts";
import { CORPUS } from "./corpus/corpus.ts";
import { EXCEPTIONS } from "./exceptions.ts";
import { digestOf, type GoldenCase, goldenOf, PARTS, readGolden, treeOf, writeGolden } from "./golden.ts";
import { setUpOf } from "./load.ts";
import { openOurs } from "./ours.ts";
import { askOurs, askTheirs, equal, type Outcome, wholeStatement } from "./outcome.ts";
import { newProject } from "./project.ts";
import { question } from "./question.ts";
import { randomCases } from "./random-cases.ts";
import { differenceList, functionTable, renewReadme } from "./readme.ts";

/**
 * `npm run test:clickhouse`: runs the corpus and random queries on our engine and on ClickHouse, and prints what share of each part
 * is equal and every difference by name. Fails on a difference that is no known exception, and on a share below the least. `--write`
 * keeps ClickHouse's rows of cases that are new or changed and brings the README up to date, `--readme` only does the latter,
 * `--only TEXT` runs the cases whose name holds it, `--random N` and `--seed N` say how many random queries, and from which seed.
 */

/** Least share of the corpus that must be equal. */
const LEAST_SHARE = 0.95;
const RANDOM = 200;
const REPORT = join(import.meta.dirname, "../../.local/clickhouse-differences.md");

interface Compared {
  readonly asked: Case;
  readonly queries: readonly Ast[];
  readonly isEqual: boolean;
  readonly ours: Outcome;
  readonly theirs: Outcome;
  readonly sql: string;
}

const compare = async (ours: Golden, clickHouse: ClickHouse, asked: Case, tree?: Ast): Promise<Compared> => {
  try {
    const asks = await question(asked, tree);
    const mine = await askOurs(ours, asks);
    const theirs = await askTheirs(clickHouse, asks);
    return { asked, queries: asks.queries, isEqual: equal(asked, asks, mine, theirs), ours: mine, theirs, sql: sqlOf(asks) };
  } catch (error) {
    const refused = { refused: thrownMessage(error) };
    return { asked, queries: [], isEqual: asked.refused === true, ours: refused, theirs: refused, sql: "" };
  }
};

const sqlOf = ({ queries, options }: Awaited<ReturnType<typeof question>>): string => {
  try {
    return queries.map((query) => shownStatement(wholeStatement(query, options))).join(";\n");
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
};

/** With the parameters in their places, to be read and not to be run. */
const shownStatement = ({ sql, parameters }: ReturnType<typeof wholeStatement>): string =>
  sql.replaceAll(/\{(p\d+):[^}]+\}/g, (_, name: string) => JSON.stringify(parameters.get(name)?.value));

const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`;

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    readme: { type: "boolean", default: false },
    only: { type: "string" },
    random: { type: "string", default: String(RANDOM) },
    seed: { type: "string", default: "1" },
  },
});

if (values.readme) {
  await renewReadme({ functions: functionTable(), differences: differenceList() });
  process.exit();
}
const project = newProject();
const chdb = join(await fetchLibrary(), "chdb");
const ours = await openOurs(project);
const clickHouse = await startClickHouse(chdb, setUpOf(project));
/** The tree that a query had when its rows were kept, unless it is to be parsed anew. */
const kept: Readonly<Record<string, GoldenCase>> = values.write ? {} : Object.assign({}, ...(await Promise.all(PARTS.map(readGolden))));
const keptTree = (asked: Case): Ast | undefined => {
  const golden = kept[asked.name];
  return golden?.digest === digestOf(asked) ? treeOf(golden) : undefined;
};
const cases = CORPUS.filter(({ name }) => values.only === undefined || name.includes(values.only));

const all: Compared[] = [];
for (const asked of cases) all.push(await compare(ours, clickHouse, asked, keptTree(asked)));
const random: Compared[] = [];
for (const asked of randomCases(Number(values.seed), values.only === undefined ? Number(values.random) : 0))
  random.push(await compare(ours, clickHouse, asked));
await ours.close();
clickHouse.close();

const shares = ["| Part of the corpus | Cases | Equal | |\n", "|---|---|---|---|\n"];
for (const part of PARTS) {
  const own = all.filter(({ asked }) => asked.part === part);
  const same = own.filter(({ isEqual }) => isEqual);
  if (own.length === 0) continue;
  console.log(`${part}: ${same.length} of ${own.length} equal (${percent(same.length / own.length)})`);
  shares.push(`| ${part} | ${own.length} | ${same.length} | ${percent(same.length / own.length)} |\n`);
  if (!values.write) continue;
  // Rows that are kept were printed for ClickHouse as the dialect is; the product's printer, which says what our engine says, only adds to them.
  const known = await readGolden(part);
  const found = own.filter(({ asked }) => known[asked.name]?.digest !== digestOf(asked));
  const added = found.map(({ asked, queries, theirs }) => [asked.name, goldenOf(asked, queries, theirs)]);
  await writeGolden(part, { ...known, ...Object.fromEntries(added) });
}
const share = all.filter(({ isEqual }) => isEqual).length / Math.max(all.length, 1);
console.log(`corpus: ${percent(share)} equal`);
console.log(`random: ${random.filter(({ isEqual }) => isEqual).length} of ${random.length} equal`);

const differences = [...all, ...random].filter(({ isEqual }) => !isEqual);
const unknown = differences.filter(({ asked }) => !Object.hasOwn(EXCEPTIONS, asked.name));
for (const { asked } of differences)
  console.log(`differs: ${asked.name}${EXCEPTIONS[asked.name] === undefined ? "" : ` (known: ${EXCEPTIONS[asked.name]})`}`);

if (values.write && values.only === undefined)
  await renewReadme({ functions: functionTable(), differences: differenceList(), shares: shares.join("") });

const shown = (outcome: Outcome): string => JSON.stringify("rows" in outcome ? outcome.rows : outcome).slice(0, 2_000);
await mkdir(join(REPORT, ".."), { recursive: true });
await writeFile(
  REPORT,
  unknown
    .map(
      (one) =>
        `## ${one.asked.name}\n\n${"query" in one.asked ? one.asked.query : JSON.stringify(one.asked.insight)}\n\nours ${shown(one.ours)}\n\ntheirs ${shown(one.theirs)}\n\n${one.sql}\n`,
    )
    .join("\n"),
);
if (unknown.length > 0) console.log(`${unknown.length} unknown differences: see ${REPORT}`);
if (unknown.length > 0 || (values.only === undefined && share < LEAST_SHARE)) process.exitCode = 1;
