import type { Ast, Call, Expr } from "./ast.ts";
import { findFunction } from "./functions/registry.ts";
import type { PropertyOwner } from "./options.ts";
import { EMPTY_TABLES } from "./schema/empty.ts";
import { EVENT_NAMES } from "./schema/events.ts";
import { GROUPS_SHAPE } from "./schema/groups.ts";
import { ISSUE_COLUMNS, ISSUES } from "./schema/issues.ts";
import { DISTINCT_IDS, PERSONS } from "./schema/persons.ts";
import { SESSION_COLUMNS } from "./schema/session-columns.ts";

/** A property that a query may name, and its possible owners. */
export interface UsedProperty {
  readonly name: string;
  readonly owners: readonly PropertyOwner[];
}

/** The names in a query, as far as its tree alone says: all whose types it may ask for, and perhaps more. */
export interface UsedNames {
  /** `groupTypes`: names of the project's group types, by slot. */
  properties(groupTypes: readonly string[]): readonly UsedProperty[];
  /** Names that it uses and does not give itself. */
  readonly names: ReadonlySet<string>;
  /** All names that stand in it, those that it gives itself too. */
  readonly mentioned: ReadonlySet<string>;
  /** Tables by name, but for those of WITH. */
  readonly tables: readonly string[];
}

/** The names in queries and in the conditions that `{filters}` stands for, collected once before they are lowered. */
export const usedNames = (trees: readonly (Ast | Expr | null)[]): UsedNames => {
  const found = newFound();
  for (const tree of trees) visit(tree, found);
  const tables = [...found.tables].filter((table) => !found.ctes.has(table));
  const own = tables.every((table) => table === "events") ? EVENT : ALL;
  return {
    mentioned: found.names,
    tables,
    names: new Set([...found.names].filter((name) => !found.given.has(name))),
    properties: (groupTypes) => {
      const propertyOwners = (before: string | number | undefined): readonly PropertyOwner[] => {
        if (before === undefined || before === "events" || found.aliases.has(before)) return own;
        if (before === "person") return ["person"];
        const group = GROUPS[groupTypes.indexOf(String(before))] ?? GROUPS.find((slot) => slot === before);
        return group === undefined ? ALL : [group];
      };
      return [...found.chains.values()].flatMap((chain) => usedProperties(chain, propertyOwners, found.renames));
    },
  };
};

const EVENT: readonly PropertyOwner[] = ["event"];
const GROUPS: readonly PropertyOwner[] = ["group_0", "group_1", "group_2", "group_3", "group_4"];
const ALL: readonly PropertyOwner[] = ["event", "person", ...GROUPS];

type Chain = readonly (string | number)[];

interface NameCollection {
  readonly chains: Map<string, Chain>;
  readonly names: Set<string>;
  /** Names of aliases, of queries of WITH and of arguments of lambdas. */
  readonly given: Set<unknown>;
  readonly tables: Set<string>;
  readonly ctes: Set<unknown>;
  /** Names that queries give their tables. */
  readonly aliases: Set<unknown>;
  /** The properties of a table may stand under another name. */
  renames: boolean;
}

const newFound = (): NameCollection => ({
  chains: new Map(),
  names: new Set(),
  given: new Set(),
  tables: new Set(),
  ctes: new Set(),
  aliases: new Set(),
  renames: false,
});

const PROPERTIES = "properties";

/** Trees have many kinds of nodes, and only these are of interest: what the others hold is looked at whatever it is called. */
const visit = (node: unknown, found: NameCollection): void => {
  if (typeof node !== "object" || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) visit(item, found);
    return;
  }
  if ("kind" in node) note(node, found);
  if ("columnAliases" in node && node.columnAliases !== null) found.renames = true;
  if ("table" in node && "alias" in node) {
    found.aliases.add(node.alias);
    found.given.add(node.alias);
  }
  if ("scalar" in node && "name" in node) {
    found.ctes.add(node.name);
    found.given.add(node.name);
  }
  if ("scalar" in node && "columns" in node && node.columns !== null) found.renames = true;
  for (const part of Object.values(node)) visit(part, found);
};

const note = (node: object & { readonly kind: unknown }, found: NameCollection): void => {
  const chain = nameChain(node);
  if (chain !== null) {
    found.chains.set(chain.join("\n"), chain);
    const end = chain.indexOf(PROPERTIES);
    for (const part of end === -1 ? chain : chain.slice(0, end)) found.names.add(String(part));
  }
  if (node.kind === "name" && "chain" in node && isChain(node.chain)) found.tables.add(node.chain.join("."));
  if (node.kind === "lambda" && "args" in node && Array.isArray(node.args)) for (const name of node.args) found.given.add(name);
  if (node.kind !== "alias" || !("name" in node) || !("item" in node)) return;
  found.given.add(node.name);
  if (nameChain(node.item)?.at(-1) === PROPERTIES) found.renames = true;
};

/** `a.properties.b`, also where it is written as `a.properties['b']`; null for anything else. */
const nameChain = (node: unknown): Chain | null => {
  if (typeof node !== "object" || node === null || !("kind" in node)) return null;
  if (node.kind === "field" && "chain" in node && isChain(node.chain)) return node.chain;
  if (node.kind !== "element" || !("of" in node) || !("index" in node)) return null;
  const [before, index] = [nameChain(node.of), constantText(node.index)];
  return before === null || index === null ? null : [...before, index];
};

const isChain = (chain: unknown): chain is Chain => Array.isArray(chain);

const constantText = (node: unknown): string | null =>
  typeof node === "object" && node !== null && "value" in node && typeof node.value === "string" ? node.value : null;

/** The property that a chain names; where properties may stand under another name, whatever could be one. */
const usedProperties = (
  chain: Chain,
  propertyOwners: (before: string | number | undefined) => readonly PropertyOwner[],
  renames: boolean,
): readonly UsedProperty[] => {
  const at = chain.indexOf(PROPERTIES);
  const name = chain[at + 1];
  if (at >= 0) return name === undefined ? [] : [{ name: String(name), owners: propertyOwners(chain[at - 1]) }];
  return renames ? chain.slice(1).map((part) => ({ name: String(part), owners: ALL })) : [];
};

/** Whether a query uses a name that is no field of any table, nor a group type among these: a type may have come meanwhile. */
export const mayNameNewGroup = ({ names }: UsedNames, known: readonly string[]): boolean =>
  [...names].some((name) => !FIELDS.has(name) && !known.includes(name));

const FIELDS: ReadonlySet<string> = new Set([
  "*",
  "events",
  "number",
  ...EVENT_NAMES,
  ...SESSION_COLUMNS.keys(),
  ISSUES,
  ...ISSUE_COLUMNS.keys(),
  ...[PERSONS, DISTINCT_IDS, GROUPS_SHAPE].flatMap(({ star }) => star),
  ...[...EMPTY_TABLES.values()].flatMap((columns) => [...columns.keys()]),
]);

/** Whether a node is a call of an aggregate: one value of many rows. */
export const isAggregate = (node: Expr): node is Call => {
  if (node.kind !== "call") return false;
  try {
    return findFunction(node.name).spec.kind === "aggregate";
  } catch {
    return false;
  }
};
