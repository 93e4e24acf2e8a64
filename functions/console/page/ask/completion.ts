import { KEYWORDS } from "../../parts/editor/keywords.ts";
import type { Suggestion, Suggestions } from "../../parts/editor/suggestion.ts";
import type { Term, Vocabulary } from "./vocabulary.ts";

/** A text as the language writes it. */
export const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** A name as the language writes it behind a dot. */
export const named = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `\`${name.replaceAll("`", "\\`")}\``);

/** What may stand at a place of a query: names of events in texts, properties behind their dot, and elsewhere words of the language. */
export const suggestions = (text: string, at: number, vocabulary: Vocabulary): Suggestions | undefined => {
  const before = text.slice(0, at);
  const open = openText(before);
  if (open !== undefined) {
    const isEvent = /\bevent\s*(?:=|!=|(?:NOT\s+)?(?:LIKE|IN)\s*\(?(?:\s*'[^']*'\s*,)*)\s*$/i.test(before.slice(0, open));
    return isEvent ? { from: open + 1, options: vocabulary.events.map(plain) } : undefined;
  }
  const word = /[\w$]*$/.exec(before)?.[0] ?? "";
  const from = at - word.length;
  const [, path] = /([\w$.]+)\.$/.exec(before.slice(0, from)) ?? [];
  if (path === undefined) return { from, options: words(vocabulary) };
  if (/(?:^|\.)person\.properties$|(?:^|\.)persons\.properties$/.test(path))
    return { from, options: vocabulary.personProperties.map(property) };
  if (/(?:^|\.)properties$/.test(path)) return { from, options: vocabulary.properties.map(property) };
  const columns = vocabulary.tables.find(({ name }) => name === path)?.columns;
  return columns && { from, options: columns.map((name) => ({ label: name })) };
};

const words = ({ tables, functions }: Vocabulary): readonly Suggestion[] => [
  ...tables.map(({ name }) => ({ label: name, detail: "table", rank: 2 })),
  ...(tables[0]?.columns ?? []).map((label) => ({ label, detail: "column", rank: 3 })),
  ...functions.map(({ name, detail }) => ({ label: name, detail, text: `${name}(|)` })),
  ...KEYWORD_SUGGESTIONS,
];

const KEYWORD_SUGGESTIONS: readonly Suggestion[] = KEYWORDS.map((label) => ({ label, detail: "keyword", rank: 1 }));

const plain = ({ name, detail }: Term): Suggestion => ({ label: name, detail });

const property = ({ name, detail }: Term): Suggestion => ({ label: name, detail, text: named(name) });

/** Where the text that is open at the end of a query began; undefined where none is. */
const openText = (before: string): number | undefined => {
  let quote = "";
  let began = 0;
  for (let at = 0; at < before.length; at++) {
    const character = before[at] ?? "";
    if (quote === "") {
      if (!"'\"`".includes(character)) continue;
      quote = character;
      began = at;
    } else if (character === "\\") at++;
    else if (character === quote) quote = "";
  }
  return quote === "'" ? began : undefined;
};
