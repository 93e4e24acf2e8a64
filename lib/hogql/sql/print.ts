import { unreachable } from "../../core/unreachable.ts";
import type { Parameter } from "../lowered-query.ts";
import { type Argument, type JsonSource, type JsonText, numeral, type Sql, separated, sql } from "./fragment.ts";
import type { Survey } from "./survey.ts";

/** A query's text, in the pieces that were asked for, with the values of its `$1`, `$2`, …. */
export interface PrintedSql {
  readonly texts: readonly string[];
  readonly parameters: readonly Parameter[];
}

/** Characters from which on the text of a node is kept, since it may stand in several places. */
const KEPT_SIZE = 16;

/**
 * Prints the pieces of a query, one after the other. `grown` is told how many characters there are so far, and may refuse them.
 * One recursive switch with a case for each kind of node: the texts kept and the names given are the same for all of them.
 */
export const print = (pieces: readonly Sql[], found: Survey, grown: (size: number) => void): PrintedSql => {
  const { parameters, placeholder } = newParameters();
  const bindingName = newNames();
  const outside = new Map<Sql, string>();
  const inFilter = new Map<Sql, string>();
  let kept = outside;

  const textFor = (node: Sql): string => {
    switch (node.kind) {
      case "template": {
        const known = kept.get(node);
        if (known !== undefined) return known;
        const { strings, parts } = node;
        let text = strings[0] ?? "";
        for (let index = 0; index < parts.length; index++) {
          const part = parts[index];
          if (part !== undefined) text += textFor(part) + (strings[index + 1] ?? "");
          grown(text.length);
        }
        if (text.length >= KEPT_SIZE) kept.set(node, text);
        return text;
      }
      case "list": {
        const separator = textFor(node.separator);
        let text = "";
        for (const [index, part] of node.parts.entries()) {
          text += index === 0 ? textFor(part) : separator + textFor(part);
          grown(text.length);
        }
        return text;
      }
      case "value":
        return placeholder(node.value);
      case "numeral":
      case "identifier":
        return node.text;
      case "column":
        return `${node.of.text}.${found.nameOf(node)}`;
      case "argument":
        return bindingName(node);
      case "lambda":
        return `lambda ${node.args.map(bindingName).join(", ")}: ${textFor(node.body)}`;
      case "later":
        return textFor(found.resolved(node));
      case "json-text":
        return textFor(extractText(node, found, kept === inFilter));
      case "json-source":
        return textFor(source(node, found));
      case "filter": {
        const around = kept;
        kept = inFilter;
        const text = textFor(node.condition);
        kept = around;
        return text;
      }
      default:
        return unreachable(node);
    }
  };
  return { texts: pieces.map(textFor), parameters };
};

/** Values that are equal share a place. */
const newParameters = () => {
  const parameters: Parameter[] = [];
  const places = new Map<string, string>();
  const placeholder = (given: Parameter): string => {
    const key = `${typeof given}:${String(given)}`;
    const place = places.get(key) ?? `$${parameters.push(given)}`;
    places.set(key, place);
    return place;
  };
  return { parameters, placeholder };
};

/** Names of arguments, in the order in which they come. */
const newNames = (): ((argument: Argument) => string) => {
  const names = new Map<Argument, string>();
  return (argument) => {
    const name = names.get(argument) ?? `x${names.size + 1}`;
    names.set(argument, name);
    return name;
  };
};

/** The text that was extracted for the row before, or else the extraction itself. */
const extractText = ({ table, path, json }: JsonText, { paths }: Survey, inFilter: boolean): Sql => {
  const all = paths.get(table);
  const number = all?.get(path)?.number;
  if (all === undefined || number === undefined || (!table.joined && (inFilter || all.size === 1))) {
    return sql`json_extract_string(${json}, ${path})`;
  }
  return all.size === 1 ? sql`${table.alias}.j` : sql`${table.alias}.j[${numeral(number)}]`;
};

/** The table itself, or, where several texts of its JSON are read, the table with a list of them beside its columns. */
const source = ({ table }: JsonSource, { paths }: Survey): Sql => {
  const plain = sql`${table.scan} AS ${table.alias}`;
  const all = paths.get(table)?.values() ?? [];
  const [only] = all;
  if (only === undefined || (all.length === 1 && !table.joined)) return plain;
  const taken = all.length === 1 ? only.path : sql`[${separated(all.map(({ path }) => path))}]`;
  return sql`(SELECT *, json_extract_string(properties, ${taken}) AS j FROM ${plain}) AS ${table.alias}`;
};
