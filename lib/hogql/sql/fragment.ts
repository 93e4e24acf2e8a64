import { Defect, unreachable } from "../../core/unreachable.ts";
import type { Parameter } from "../lowered-query.ts";

/** Numbers that are equal for equal trees, and hardly ever for others. */
const mixHash = (hash: number, other: number): number => (Math.imul(hash, 0x01000193) ^ Math.imul(other, 0x9e3779b1)) | 0;

const hashText = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
};

/**
 * SQL as a tree. Every node is made by a function of this file, and none of these takes text of its caller but `ident`, which
 * quotes it: what a tenant wrote can only stand in a query as a parameter, because `sql` takes literal text alone.
 */
export type Sql = Template | List | Numeral | Value | Identifier | Column | Argument | Lambda | Later | JsonText | JsonSource | Filter;

declare const MADE_HERE: unique symbol;

interface Node {
  readonly [MADE_HERE]: true;
  /** Characters of its text, about: what is only known later counts for next to nothing. */
  readonly size: number;
  /** How many nodes that are known later only stand in one another within this one. */
  readonly nesting: number;
  /** Equal for equal nodes. */
  readonly hash: number;
}

/** Literal text with nodes between its strings. */
export interface Template extends Node {
  readonly kind: "template";
  readonly strings: TemplateStringsArray;
  readonly parts: readonly Sql[];
}

/** Nodes with a separator between them. */
export interface List extends Node {
  readonly kind: "list";
  readonly parts: readonly Sql[];
  readonly separator: Sql;
}

/** The digits of a whole number. */
export interface Numeral extends Node {
  readonly kind: "numeral";
  readonly text: string;
}

export interface Value extends Node {
  readonly kind: "value";
  readonly value: Parameter;
}

export interface Identifier extends Node {
  readonly kind: "identifier";
  /** Quoted where it has to be. */
  readonly text: string;
}

/** A column of the relation called `of`. */
export interface Column extends Node {
  readonly kind: "column";
  readonly of: Identifier;
  readonly name: string;
  /** The same, quoted where it has to be. */
  readonly text: string;
  /** The scan that is read by naming the column. */
  readonly scan: Identifier | null;
  /** The column of the same scan that this one is read instead of, because it costs less: where that is read anyway, it does for both. */
  readonly insteadOf: Column | null;
}

/** The argument of a lambda. Its name is the printer's choice. */
export interface Argument extends Node {
  readonly kind: "argument";
}

export interface Lambda extends Node {
  readonly kind: "lambda";
  readonly args: readonly Argument[];
  readonly body: Sql;
}

/** SQL that depends on what only shows once the whole query is lowered, such as the range of a scan. */
export interface Later extends Node {
  readonly kind: "later";
  /** With `parts`, all that the SQL depends on. */
  readonly key: readonly unknown[];
  readonly parts: readonly Sql[];
  readonly make: () => Sql;
}

/** The text under a path of the JSON of a table's rows. Where it is taken out shows at the end: see `survey`. */
export interface JsonText extends Node {
  readonly kind: "json-text";
  readonly table: JsonTable;
  readonly path: Sql;
  readonly json: Sql;
}

/** A table with JSON as it stands in FROM. */
export interface JsonSource extends Node {
  readonly kind: "json-source";
  readonly table: JsonTable;
}

/** A condition of WHERE: what it reads of JSON it takes out by itself. */
export interface Filter extends Node {
  readonly kind: "filter";
  readonly condition: Sql;
}

/** A scan that stands in FROM under an alias, and has JSON. */
export interface JsonTable {
  readonly scan: Identifier;
  readonly alias: Identifier;
  /** Joined to each row of many, so that all is taken out before the join. */
  readonly joined: boolean;
}

/** All nodes are made here: the mark that the types ask for exists for the compiler alone. */
const made = <N extends Sql>(node: Omit<N, typeof MADE_HERE>): N => node as N;

interface Shape {
  readonly size: number;
  readonly hash: number;
}

/** By the strings of each place where SQL is written: there are only so many. */
const shapes = new Map<TemplateStringsArray, Shape>();

const templateShape = (strings: TemplateStringsArray): Shape => {
  const known = shapes.get(strings);
  if (known !== undefined) return known;
  const shape = {
    size: strings.reduce((size, text) => size + text.length, 0),
    hash: strings.reduce((hash, text) => mixHash(hash, hashText(text)), strings.length),
  };
  shapes.set(strings, shape);
  return shape;
};

/** SQL of literal text and nodes: sql`coalesce(${a}, ${b})`. */
export const sql = (strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql => {
  const [only] = parts;
  let { size, hash } = templateShape(strings);
  if (only !== undefined && size === 0 && parts.length === 1) return only;
  let nesting = 0;
  for (const part of parts) {
    size += part.size;
    if (part.nesting > nesting) nesting = part.nesting;
    hash = mixHash(hash, part.hash);
  }
  return made<Template>({ kind: "template", strings, parts, size, nesting, hash });
};

export const NOTHING: Sql = sql``;
export const NULL_SQL: Sql = sql`NULL`;
export const TRUE: Sql = sql`true`;
export const FALSE: Sql = sql`false`;
export const COMMA: Sql = sql`, `;

/** Nodes with a separator between them, which is a comma unless it is said. */
export const separated = (parts: readonly Sql[], separator: Sql = COMMA): Sql => {
  const [first, ...others] = parts;
  if (first === undefined) return NOTHING;
  if (others.length === 0) return first;
  let size = separator.size * others.length;
  let nesting = 0;
  let hash = separator.hash;
  for (const part of parts) {
    size += part.size;
    if (part.nesting > nesting) nesting = part.nesting;
    hash = mixHash(hash, part.hash);
  }
  return made<List>({ kind: "list", parts, separator, size, nesting, hash });
};

/** A parameter. Values of one kind that are written alike are equal, and share one. */
export const parameter = (given: Parameter): Sql =>
  made<Value>({ kind: "value", value: given, size: 3, nesting: 0, hash: mixHash(3, hashText(String(given))) });

/** A whole number of our own as its digits. */
export const numeral = (number: number | bigint): Sql => {
  if (typeof number === "number" && !Number.isInteger(number)) throw new Defect(`${number} is no whole number`);
  const text = String(BigInt(number));
  return made<Numeral>({ kind: "numeral", text, size: text.length, nesting: 0, hash: hashText(text) });
};

/** A name. */
export const ident = (name: string): Identifier => {
  const text = quoted(name);
  return made<Identifier>({ kind: "identifier", text, size: text.length, nesting: 0, hash: hashText(text) });
};

const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** A column of a relation; with `scan`, of a scan that has to read it. */
export const column = (of: Identifier, name: string, scan: Identifier | null = null): Column =>
  columnOf({ of, name, scan, insteadOf: null });

/** A column that is read instead of another one, which gives all that is asked of this one. */
export const columnInstead = (insteadOf: Column, name: string): Sql =>
  columnOf({ of: insteadOf.of, name, scan: insteadOf.scan, insteadOf });

const columnOf = (given: Pick<Column, "of" | "name" | "scan" | "insteadOf">): Column => {
  const text = quoted(given.name);
  const hash = mixHash(given.of.hash, hashText(text));
  return made<Column>({ kind: "column", ...given, text, size: given.of.size + 1 + text.length, nesting: 0, hash });
};

const ARGUMENT_SIZE = 2;

/** A fresh argument for one lambda. */
export const argument = (): Argument => made<Argument>({ kind: "argument", size: ARGUMENT_SIZE, nesting: 0, hash: 1 });

export const lambda = (args: readonly Argument[], body: Sql): Sql => {
  const size = "lambda : ".length + args.length * ARGUMENT_SIZE + body.size;
  return made<Lambda>({ kind: "lambda", args, body, size, nesting: body.nesting, hash: mixHash(args.length, body.hash) });
};

/** SQL that `make` makes once all is lowered, of nothing but `key` and `parts`. */
export const later = (key: readonly unknown[], parts: readonly Sql[], make: () => Sql): Sql => {
  const nesting = parts.reduce((most, part) => Math.max(most, part.nesting), 0) + 1;
  const hash = parts.reduce((before, part) => mixHash(before, part.hash), hashText(String(key[0])));
  return made<Later>({ kind: "later", key, parts, make, size: 3, nesting, hash });
};

export const jsonText = (table: JsonTable, path: Sql, json: Sql): Sql =>
  made<JsonText>({ kind: "json-text", table, path, json, size: 4, nesting: 0, hash: mixHash(table.alias.hash, path.hash) });

export const jsonSource = (table: JsonTable): Sql =>
  made<JsonSource>({ kind: "json-source", table, size: 4, nesting: 0, hash: table.alias.hash });

export const filter = (condition: Sql): Sql =>
  made<Filter>({ kind: "filter", condition, size: condition.size, nesting: condition.nesting, hash: mixHash(2, condition.hash) });

/** The node with each of its parts changed; a leaf, which JSON's text is too, stays. What is left for later is changed when it is made. */
export const mapParts = (node: Sql, change: (part: Sql) => Sql): Sql => {
  switch (node.kind) {
    case "template":
      return sql(node.strings, ...node.parts.map(change));
    case "list":
      return separated(node.parts.map(change), node.separator);
    case "lambda":
      return lambda(node.args, change(node.body));
    case "later":
      return later(node.key, node.parts.map(change), () => change(node.make()));
    case "filter":
      return filter(change(node.condition));
    case "numeral":
    case "value":
    case "identifier":
    case "column":
    case "argument":
    case "json-text":
    case "json-source":
      return node;
    default:
      return unreachable(node);
  }
};
