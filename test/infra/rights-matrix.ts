import { keyRights } from "../../infra/rights.ts";
import type { FunctionNeeds } from "../../lib/app/uses.ts";
import { CALLER_PARTITIONS } from "../../lib/auth/caller-partitions.ts";
import { PARTITIONS, type PartitionName, partitionNames } from "../../lib/table/partitions.ts";
import type { Touched } from "../support/touched-partitions.ts";
import { REASONS } from "./rights-reasons.ts";

const VERBS = ["read", "write"] as const;
type Verb = (typeof VERBS)[number];

/** The partition keys that a role may read, write and list by, as patterns of its policy. */
export interface RolePatterns extends Readonly<Record<Verb, readonly string[]>> {
  /** By the name of the index. */
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly removes: boolean;
  readonly checks: boolean;
}

/** A right of a function, with why it has it: undefined where nothing says so. */
export interface Cell {
  readonly of: string;
  readonly partition: PartitionName;
  readonly verb: Verb;
  readonly because: string | undefined;
}

/** What a function is called with: the ids of its operations. */
export interface MatrixRow {
  readonly needs: FunctionNeeds;
  readonly operations: readonly string[];
  /** Whether some of them ask who calls. */
  readonly knowsCallers: boolean;
  readonly may: RolePatterns;
}

const MOST_NAMED = 3;

/** Every right of every function: which partitions its role's policy lets it read and write, and because of what. */
export const rightsCells = (rows: readonly MatrixRow[], touched: Readonly<Record<string, Touched>>): readonly Cell[] =>
  rows.flatMap((row) =>
    partitionNames.flatMap((partition) =>
      VERBS.filter((verb) => row.may[verb].some((pattern) => takesIn(pattern, PARTITIONS[partition].pk))).map((verb) => ({
        of: row.needs.name,
        partition,
        verb,
        because: reason(row, partition, verb, touched),
      })),
    ),
  );

/** Whether a pattern of a policy takes in the keys of a partition. */
const takesIn = (pattern: string, pk: string): boolean =>
  new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "s").test(pk.replaceAll(/\{[^}]+\}/g, "0"));

const reason = (
  { needs, operations, knowsCallers }: MatrixRow,
  partition: PartitionName,
  verb: Verb,
  touched: Readonly<Record<string, Touched>>,
): string | undefined => {
  const { read, write = [] } = needs.uses.table ?? { read: [] };
  const declared: readonly PartitionName[] = verb === "read" ? read : write;
  if (!declared.includes(partition)) {
    const wider = declared.find((name) =>
      keyRights({ table: { read: [name] } }).read(PARTITIONS[partition].pk.replaceAll(/\{[^}]+\}/g, "0")),
    );
    return wider && `its key begins as those of \`${wider}\` do`;
  }
  const calls = operations.filter((operation) => touched[operation]?.[verb].includes(partition));
  const callers: readonly PartitionName[] = CALLER_PARTITIONS[verb];
  const said = [
    ...(knowsCallers && callers.includes(partition) ? ["who calls"] : []),
    ...calls.slice(0, MOST_NAMED).map((operation) => `\`${operation}\``),
    ...(calls.length > MOST_NAMED ? [`${calls.length - MOST_NAMED} more`] : []),
    ...(REASONS[needs.name] ?? []).flatMap(({ because, of }) => (of.includes(partition) ? [because] : [])),
  ];
  return said.length > 0 ? said.join(", ") : undefined;
};

/** The matrix for people: a table for each function, and what it does besides. */
export const rightsPage = (rows: readonly MatrixRow[], cells: readonly Cell[]): string =>
  [
    "# Who may read and write what of the table",
    "",
    "Made from the policies of a synthesised stage, and held to them, by `test/infra/stage.test.ts`; `npx vitest run test/infra/stage.test.ts -u` makes it anew. What is not listed is refused by the function's role. Operations are those that touched the partition when the examples were recorded (`npm run examples`); other reasons stand in `test/infra/rights-reasons.ts`.",
    ...rows.flatMap((row) => {
      const of = row.needs.name;
      return ["", `## ${of}`, "", ...tableOf(cells.filter((cell) => cell.of === of)), ...besides(row.may)];
    }),
    "",
  ].join("\n");

const besides = ({ lists, removes, checks }: RolePatterns): readonly string[] => [
  ...Object.entries(lists).flatMap(([index, keys]) =>
    keys.length === 0 ? [] : ["", `Lists over \`${index}\`: ${keys.map((key) => `\`${key}\``).join(", ")}.`],
  ),
  ...(removes ? ["", "Deletes items where it writes."] : []),
  ...(checks ? ["", "Holds items where it writes to conditions, and leaves them as they are."] : []),
];

const tableOf = (cells: readonly Cell[]): readonly string[] => {
  const rows = [...new Set(cells.map(({ partition }) => partition))].map((partition) => {
    const [read, write] = VERBS.map((verb) => cells.find((cell) => cell.partition === partition && cell.verb === verb));
    return `| ${partition} | ${read ? (read.because ?? "?") : ""} | ${write ? (write.because ?? "?") : ""} |`;
  });
  return ["| Partition | Read because of | Written because of |", "|---|---|---|", ...rows];
};
