import { unreachable } from "../../core/unreachable.ts";
import type { Argument, Sql } from "./fragment.ts";

/** Whether both say the same. Lambdas are the same whatever their arguments, if these stand in the same places. */
export const same = (left: Sql, right: Sql): boolean => {
  if (left === right) return true;
  const args = new Arguments();
  const pairs: [Sql, Sql][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    if (!alike(pair[0], pair[1], args, pairs)) return false;
  }
  return true;
};

/** Arguments of lambdas on both sides that stand for each other. */
class Arguments {
  readonly #others = new Map<Argument, Argument>();
  bind(left: Argument, right: Argument): void {
    this.#others.set(left, right);
    this.#others.set(right, left);
  }
  match(left: Argument, right: Argument): boolean {
    return left === right || this.#others.get(left) === right;
  }
}

/** Whether two nodes are the same but for what they hold, which is put among `pairs`. */
const alike = (left: Sql, right: Sql, args: Arguments, pairs: [Sql, Sql][]): boolean => {
  if (left === right) return true;
  if (left.hash !== right.hash || left.size !== right.size) return false;
  switch (left.kind) {
    case "template":
      return right.kind === "template" && sameTexts(left.strings, right.strings) && pairUp(left.parts, right.parts, pairs);
    case "list":
      return right.kind === "list" && pairUp([left.separator, ...left.parts], [right.separator, ...right.parts], pairs);
    case "numeral":
      return right.kind === "numeral" && left.text === right.text;
    case "value":
      return right.kind === "value" && typeof left.value === typeof right.value && String(left.value) === String(right.value);
    case "identifier":
      return right.kind === "identifier" && left.text === right.text;
    case "column":
      return right.kind === "column" && left.text === right.text && left.of.text === right.of.text;
    case "argument":
      return right.kind === "argument" && args.match(left, right);
    case "lambda": {
      if (right.kind !== "lambda" || left.args.length !== right.args.length) return false;
      for (const [index, arg] of left.args.entries()) args.bind(arg, right.args[index] ?? arg);
      return pairUp([left.body], [right.body], pairs);
    }
    case "later":
      return right.kind === "later" && sameKeys(left.key, right.key) && pairUp(left.parts, right.parts, pairs);
    case "json-text":
      return right.kind === "json-text" && left.table === right.table && pairUp([left.path], [right.path], pairs);
    case "json-source":
      return right.kind === "json-source" && left.table === right.table;
    case "filter":
      return right.kind === "filter" && pairUp([left.condition], [right.condition], pairs);
    default:
      return unreachable(left);
  }
};

const sameTexts = (left: readonly string[], right: readonly string[]): boolean =>
  left === right || (left.length === right.length && left.every((text, index) => text === right[index]));

const sameKeys = (left: readonly unknown[], right: readonly unknown[]): boolean =>
  left.length === right.length && left.every((part, index) => part === right[index]);

const pairUp = (left: readonly Sql[], right: readonly Sql[], pairs: [Sql, Sql][]): boolean => {
  if (left.length !== right.length) return false;
  for (const [index, part] of left.entries()) pairs.push([part, right[index] ?? part]);
  return true;
};

/** A map whose keys are trees: those that say the same are one. */
export class SqlMap<T> {
  readonly #byHash = new Map<number, { readonly key: Sql; readonly value: T }[]>();
  readonly #all: T[] = [];

  get(key: Sql): T | undefined {
    return this.#byHash.get(key.hash)?.find((entry) => same(entry.key, key))?.value;
  }

  has(key: Sql): boolean {
    return this.#byHash.get(key.hash)?.some((entry) => same(entry.key, key)) === true;
  }

  /** Keeps the value of a key that has none yet. */
  add(key: Sql, value: T): void {
    if (this.has(key)) return;
    const entries = this.#byHash.get(key.hash) ?? [];
    entries.push({ key, value });
    this.#byHash.set(key.hash, entries);
    this.#all.push(value);
  }

  /** In the order in which they came. */
  values(): readonly T[] {
    return this.#all;
  }

  get size(): number {
    return this.#all.length;
  }
}
