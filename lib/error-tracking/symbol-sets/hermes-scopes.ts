import { firstWhere } from "../../core/first-where.ts";
import { isFields } from "../../event/fields.ts";

/** A function begins here in the original file: line from 1, column from 0. */
interface Scope {
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

/** The functions of each source of a map, in the order of their beginnings; metro writes them into its maps. */
export type Scopes = readonly (readonly Scope[] | undefined)[];

/** Reads what metro says of each source, in its `x_facebook_sources`. What is not as metro writes it says nothing. */
export const readScopes = (sources: readonly unknown[]): Scopes =>
  sources.map((source) => (Array.isArray(source) ? readFunctions(source[0]) : undefined));

/** The characters that the functions of all sources are written in. */
export const scopeCharacters = (sources: readonly unknown[]): number =>
  sources.reduce<number>((sum, source) => {
    const map: unknown = Array.isArray(source) ? source[0] : undefined;
    return sum + (isFields(map) && typeof map.mappings === "string" ? map.mappings.length : 0);
  }, 0);

const readFunctions = (map: unknown): readonly Scope[] | undefined => {
  if (!isFields(map) || !Array.isArray(map.names) || typeof map.mappings !== "string") return undefined;
  const scopes: Scope[] = [];
  let [line, name] = [1, 0];
  for (const group of map.mappings.split(";")) {
    let column = 0;
    for (const segment of group === "" ? [] : group.split(",")) {
      const [columns = 0, names = 0, lines = 0] = readNumbers(segment);
      column += columns;
      name += names;
      line += lines;
      const text: unknown = map.names[name];
      if (typeof text === "string") scopes.push({ line, column, name: text });
    }
  }
  return scopes;
};

const DIGITS = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((digit, value) => [digit, value]));

/** Numbers of variable length in base 64, as source maps have them. */
const readNumbers = (segment: string): readonly number[] => {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const character of segment) {
    const digit = DIGITS.get(character) ?? 0;
    value += (digit & 31) << shift;
    shift += 5;
    if (digit & 32) continue;
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
};

/** The function around a place: the one that begins nearest before it. */
export const scopeAt = (scopes: readonly Scope[], line: number, column: number): string | undefined =>
  scopes[firstWhere(scopes, (scope) => scope.line > line || (scope.line === line && scope.column > column)) - 1]?.name;
