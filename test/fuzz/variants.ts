import type { Ast, Expr } from "../../lib/hogql/ast.ts";
import { FAMILIES } from "../../lib/hogql/functions/registry.ts";
import type { Random } from "../simulation/random.ts";

/** Kinds of nodes that may stand wherever a value may. */
const VALUES: ReadonlySet<unknown> = new Set([
  ...["constant", "numeric-literal", "field", "call", "window", "array", "tuple", "and", "or", "not", "dict", "element", "tuple-element"],
  ...["compare", "arithmetic", "between", "distinct-from", "cast", "placeholder"],
]);

/** Functions that take so many arguments. */
const namesFor = (count: number): readonly string[] =>
  [...FAMILIES.values()].flat().flatMap((spec) => {
    if (spec.kind === "unsupported") return [];
    if (spec.kind === "special") return count >= spec.arity[0] && count <= spec.arity[1] ? [spec.name] : [];
    const { takes, optional = 0, rest } = spec;
    return count >= takes.length - optional && (rest || count <= takes.length) ? [spec.name] : [];
  });

/** Values of earlier queries, to be put into later ones. */
export interface Pool {
  add(ast: Ast): void;
  /** The tree with one or two of its values replaced by others, or with other functions in them: no parser would be so quick. */
  variant(ast: Ast): Ast;
}

/** More values than this make room for new ones. */
const MOST = 2_000;

export const newPool = (random: Random): Pool => {
  const values: Expr[] = [];
  return {
    add(ast) {
      for (const { node } of placesIn(ast)) {
        if (values.length < MOST) values.push(node);
        else values[random.int(0, MOST - 1)] = node;
      }
    },
    variant(ast) {
      const copy: Ast = JSON.parse(JSON.stringify(ast));
      for (let changes = random.int(1, 2); changes > 0; changes -= 1) {
        const places = placesIn(copy);
        const place = places[random.int(0, Math.max(0, places.length - 1))];
        if (place === undefined) break;
        const { node } = place;
        // Mostly a value of its own kind, so that many of the queries are sound.
        const alike = random.chance(0.7) ? values.filter(({ kind }) => kind === node.kind) : values;
        const value = alike[random.int(0, Math.max(0, alike.length - 1))];
        if (node.kind === "call" && random.chance(0.6)) {
          const names = namesFor(node.args.length);
          place.put({ ...node, name: names[random.int(0, Math.max(0, names.length - 1))] ?? node.name });
        } else if (value !== undefined) place.put(JSON.parse(JSON.stringify(value)));
      }
      return copy;
    },
  };
};

interface Place {
  readonly node: Expr;
  put(value: unknown): void;
}

/** Every place of a tree at which a value stands, but for the tree itself. */
const placesIn = (tree: object): readonly Place[] => {
  const found: Place[] = [];
  const open: object[] = [tree];
  for (let at = 0; at < open.length; at += 1) {
    const holder: object = open[at] ?? tree;
    for (const [key, inner] of Object.entries(holder)) {
      if (typeof inner !== "object" || inner === null) continue;
      open.push(inner);
      if (VALUES.has(inner.kind)) found.push({ node: asValue(inner), put: (value) => void Reflect.set(holder, key, value) });
    }
  }
  return found;
};

/** A node of these kinds is an expression, and nothing else in a tree has them. */
const asValue = (node: object): Expr => node as Expr;
