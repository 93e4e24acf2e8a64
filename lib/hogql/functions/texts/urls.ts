import { arrayOf, STRING, type Type, UINT16 } from "../../analysis/types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

/** Functions of a URL as a text: what a part is missing from is an empty text. */

const part = (name: string, type: Type, sql: (url: string) => string, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, takes: ["text"], type, sql: ([url = ""]) => sql(url) });

const extract = (url: string, regex: string): string => `regexp_extract(${url}, '${regex}', 1)`;

/** What a host is made of, and what its last label is made of. */
const HOST = "[^:/?#@ \\t<>%{}|\\\\^~\\[\\];=&]";
const LABEL = HOST.replace("[^", "[^.");
const START = "^(?:(?:[a-zA-Z0-9.+-]{1,15}:)?//)?";

/** A host has a dot inside of it; a name before it may stand, a password may not, which `domainRFC` passes over. */
const domain = (url: string): string => extract(url, `${START}(?:${HOST}*@)?(${HOST}*\\.${LABEL}+)(?:[:/?#]|$)`);
const domainRfc = (url: string): string => extract(url, `${START}(?:[^/?#@]*@)?(${HOST}*\\.${LABEL}+)(?:[:/?#]|$)`);
const withoutWww = (url: string): string => `regexp_replace(${domain(url)}, '^www\\.(.)', '\\1')`;
const query = (url: string): string => extract(url, "\\?([^#]*)");
const fragment = (url: string): string => extract(url, "#(.*)$");

/** From the first slash on, or where two come first, from the next slash after them. */
const fromPath = (url: string, rest: string): string =>
  `(CASE WHEN regexp_matches(${url}, '^[^/]*//') THEN ${extract(url, `^[^/]*//[^/]*(/${rest})`)} ELSE ${extract(url, `^[^/]*(/${rest})`)} END)`;

/** Parameters of the query and of the fragment. One without a value counts only before another or before the fragment. */
const pairs = (url: string): string => {
  const found = `regexp_extract_all(${extract(url, "[?#](.*)$")}, '[^=&#?]*(?:=[^&#?]*[&#?]?|[&#?])')`;
  return `list_transform(list_filter(${found}, lambda p: contains(p, '=') OR NOT ends_with(p, '?')), lambda p: rtrim(p, '&#?'))`;
};

/** Domains under which names are registered by anyone, besides the last label. */
const SECOND_LEVEL = "com|co|org|net|edu|gov|ac|mil|or|ne|go|gob|govt|ltd|plc|sch";
const registered = (url: string): string => `regexp_extract(${domain(url)}, '([^.]+\\.(?:(?:${SECOND_LEVEL})\\.[a-zA-Z]{2}|[^.]+))$', 1)`;

export const URLS: readonly FunctionSpec[] = [
  part("protocol", STRING, (url) => extract(url, "^([a-zA-Z][a-zA-Z0-9+.-]*):")),
  part("domain", STRING, domain),
  part("domainRFC", STRING, domainRfc),
  part("domainWithoutWWW", STRING, withoutWww),
  part("topLevelDomain", STRING, (url) => `regexp_extract(${domain(url)}, '\\.([^.0-9][^.]*)$', 1)`),
  part("cutToFirstSignificantSubdomain", STRING, registered),
  part("firstSignificantSubdomain", STRING, (url) => `string_split(${registered(url)}, '.')[1]`),
  part("port", UINT16, (url) => {
    const number = `TRY_CAST(${extract(url, `${START}(?:${HOST}*@)?${HOST}*\\.${LABEL}+:([0-9]{1,5})(?:/|$)`)} AS BIGINT)`;
    return `(CASE WHEN ${number} <= ${MAX_PORT} THEN ${number} ELSE 0 END)`;
  }),
  part("path", STRING, (url) => fromPath(url, "[^?#]*")),
  part("pathFull", STRING, (url) => fromPath(url, ".*")),
  part("queryString", STRING, query),
  part("fragment", STRING, fragment),
  part("cutQueryString", STRING, (url) => `regexp_replace(${url}, '\\?[^#]*', '')`),
  part("cutFragment", STRING, (url) => `regexp_replace(${url}, '#.*$', '')`),
  part("cutQueryStringAndFragment", STRING, (url) => `string_split(${url}, CASE WHEN contains(${url}, '?') THEN '?' ELSE '#' END)[1]`),
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
      const first = `'([?#&])' || regexp_escape(${name}) || '=[^&#]*&?'`;
      const found = `regexp_extract(${url}, ${first})`;
      const left = `CASE WHEN starts_with(${found}, '&') AND NOT ends_with(${found}, '&') THEN '' ELSE '\\1' END`;
      return `(CASE WHEN ${found} = '' THEN ${url} ELSE regexp_replace(${url}, ${first}, ${left}) END)`;
    },
  }),
];

const MAX_PORT = 65_535;
