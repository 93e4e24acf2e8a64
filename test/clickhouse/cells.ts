import { isoTimestamp } from "../../lib/engine/query/timestamps.ts";
import type { PlanCell } from "../../lib/insight/plan.ts";
import type { Answer } from "./clickhouse.ts";

/** The rows of ClickHouse as our JSON prints them: times as ISO text in their zone. */
export const cellsOf = ({ meta, data }: Answer, zone: string): readonly (readonly PlanCell[])[] => {
  const columns = meta.map(({ type }) => typeOf(type));
  return data.map((row) => row.map((value, index) => cell(columns[index] ?? { name: "String", args: [] }, value, zone)));
};

interface Type {
  readonly name: string;
  readonly args: readonly Type[];
}

/** `Map(String, Array(DateTime('UTC')))` as a tree; texts and numbers in brackets are types without arguments. */
const typeOf = (text: string): Type => {
  const open = text.indexOf("(");
  if (open < 0 || text.startsWith("'")) return { name: text, args: [] };
  const name = text.slice(0, open);
  return {
    name,
    args: listed(text.slice(open + 1, -1)).map((part) => typeOf(name === "Tuple" ? part.replace(/^(\w+|`[^`]*`) (?=\w)/, "") : part)),
  };
};

const listed = (text: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (text[at] !== "," || depth > 0) continue;
    parts.push(text.slice(from, at));
    from = at + 1;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter((part) => part !== "");
};

const cell = (type: Type, value: unknown, zone: string): PlanCell => {
  const [first, second] = type.args;
  if (value === null || value === undefined) return null;
  switch (type.name) {
    case "Nullable":
    case "LowCardinality":
      return first === undefined ? null : cell(first, value, zone);
    case "DateTime":
    case "DateTime64":
      return stamp(String(value), zoneIn(type) ?? zone);
    case "Array":
      return first === undefined || !Array.isArray(value) ? [] : value.map((item) => cell(first, item, zone));
    case "Tuple":
      return Array.isArray(value) ? value.map((item, index) => cell(type.args[index] ?? { name: "String", args: [] }, item, zone)) : null;
    case "Map":
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, second === undefined ? null : cell(second, item, zone)]));
    default:
      return typeof value === "number" || typeof value === "boolean" ? value : String(value);
  }
};

const zoneIn = ({ args }: Type): string | undefined =>
  args.map(({ name }) => /^'(.*)'$/.exec(name)?.[1]).find((zone) => zone !== undefined);

/** ISO text in UTC, in the zone. */
const stamp = (iso: string, zone: string): string => {
  const [, second = "", fraction = ""] = /^(.*?)(?:\.(\d+))?Z$/.exec(iso) ?? [];
  const ms = Date.parse(`${second}Z`);
  if (Number.isNaN(ms)) return iso;
  return isoTimestamp(BigInt(ms) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0")), zone);
};
