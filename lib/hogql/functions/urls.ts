import { arrayOf, STRING, type Type, UINT16 } from "../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

/** Functions of a URL as a text: what a part is missing from is an empty text. */

const part = (name: string, type: Type, sql: (url: string) => string, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, takes: ["text"], type, sql: ([url = ""]) => sql(url) });

const extract = (url: string, regex: string): string => `regexp_extract(${url}, '${regex}', 1)`;

const domain = (url: string): string =>
  extract(url, "^(?:(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//)?(?:[^@/?#]*@)?([a-zA-Z0-9._-]+\\.?[a-zA-Z0-9_-]*)");
const withoutWww = (url: string): string => `regexp_replace(${domain(url)}, '^www\\.', '')`;
const path = (url: string): string => extract(url, "^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*(/[^?#]*)");
const query = (url: string): string => extract(url, "\\?([^#]*)");
const fragment = (url: string): string => extract(url, "#(.*)$");
const pairs = (url: string): string => `list_filter(string_split(${query(url)}, '&'), lambda p: p <> '')`;

/** Domains under which names are registered by anyone, besides the last label. */
const SECOND_LEVEL = "com|co|org|net|edu|gov|ac|mil";
const registered = (url: string): string => `regexp_extract(${domain(url)}, '([^.]+\\.(?:(?:${SECOND_LEVEL})\\.[a-z]{2}|[^.]+))$', 1)`;

export const URLS: readonly FunctionSpec[] = [
  part("protocol", STRING, (url) => `lower(${extract(url, "^([a-zA-Z][a-zA-Z0-9+.-]*):")})`),
  part("domain", STRING, domain, "domainRFC"),
  part("domainWithoutWWW", STRING, withoutWww),
  part("topLevelDomain", STRING, (url) => `regexp_extract(${domain(url)}, '\\.([a-zA-Z][^.]*)$', 1)`),
  part("cutToFirstSignificantSubdomain", STRING, registered),
  part("firstSignificantSubdomain", STRING, (url) => `string_split(${registered(url)}, '.')[1]`),
  part("port", UINT16, (url) => `coalesce(TRY_CAST(${extract(url, "^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*:([0-9]+)")} AS BIGINT), 0)`),
  part("path", STRING, path),
  part("pathFull", STRING, (url) => extract(url, "^(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#]*(/.*)")),
  part("queryString", STRING, query),
  part("fragment", STRING, fragment),
  part("cutQueryString", STRING, (url) => `regexp_replace(${url}, '\\?[^#]*', '')`),
  part("cutFragment", STRING, (url) => `regexp_replace(${url}, '#.*$', '')`),
  part("cutQueryStringAndFragment", STRING, (url) => `regexp_replace(${url}, '[?#].*$', '')`),
  part("extractURLParameters", arrayOf(STRING), pairs),
  part("extractURLParameterNames", arrayOf(STRING), (url) => `list_transform(${pairs(url)}, lambda p: string_split(p, '=')[1])`),
  scalar({
    name: "extractURLParameter",
    takes: ["text", "text"],
    type: STRING,
    sql: ([url = "", name = ""]) =>
      `coalesce(list_extract(list_transform(list_filter(${pairs(url)}, lambda p: starts_with(p, ${name} || '=')), lambda p: substring(p, length(${name}) + 2)), 1), '')`,
  }),
  scalar({
    name: "cutURLParameter",
    takes: ["text", "text"],
    type: STRING,
    sql: ([url = "", name = ""]) => {
      const left = `array_to_string(list_filter(${pairs(url)}, lambda p: NOT starts_with(p, ${name} || '=')), '&')`;
      const tail = `(CASE WHEN contains(${url}, '#') THEN '#' || ${fragment(url)} ELSE '' END)`;
      return `(CASE WHEN contains(${url}, '?') THEN string_split(${url}, '?')[1] || CASE WHEN ${left} = '' THEN '' ELSE '?' || ${left} END || ${tail} ELSE ${url} END)`;
    },
  }),
];
