import { numeral, type Sql, sql } from "../../sql/fragment.ts";
import { arrayType, STRING, type Type, UINT16 } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

/** Functions of a URL as a text: what a part is missing from is an empty text. */

const part = (name: string, type: Type, tree: (url: Sql) => Sql, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, takes: ["text"], type, sql: (url) => tree(url) });

const extract = (url: Sql, regex: Sql): Sql => sql`regexp_extract(${url}, '${regex}', 1)`;

/** What a host is made of, and what its last label is made of. */
const HOST = sql`[^:/?#@ \\t<>%{}|\\\\^~\\[\\];=&]`;
const LABEL = sql`[^.:/?#@ \\t<>%{}|\\\\^~\\[\\];=&]`;
const START = sql`^(?:(?:[a-zA-Z0-9.+-]{1,15}:)?//)?`;

/** A host has a dot inside of it; a name before it may stand, a password may not, which `domainRFC` passes over. */
const domain = (url: Sql): Sql => extract(url, sql`${START}(?:${HOST}*@)?(${HOST}*\\.${LABEL}+)(?:[:/?#]|$)`);
const domainRfc = (url: Sql): Sql => extract(url, sql`${START}(?:[^/?#@]*@)?(${HOST}*\\.${LABEL}+)(?:[:/?#]|$)`);
const withoutWww = (url: Sql): Sql => sql`regexp_replace(${domain(url)}, '^www\\.(.)', '\\1')`;
const query = (url: Sql): Sql => extract(url, sql`\\?([^#]*)`);
const fragment = (url: Sql): Sql => extract(url, sql`#(.*)$`);

/** From the first slash on, or where two come first, from the next slash after them. */
const fromPath = (url: Sql, rest: Sql): Sql =>
  sql`(CASE WHEN regexp_matches(${url}, '^[^/]*//') THEN ${extract(url, sql`^[^/]*//[^/]*(/${rest})`)} ELSE ${extract(url, sql`^[^/]*(/${rest})`)} END)`;

/** Parameters of the query and of the fragment. One without a value counts only before another or before the fragment. */
const pairs = (url: Sql): Sql => {
  const found = sql`regexp_extract_all(${extract(url, sql`[?#](.*)$`)}, '[^=&#?]*(?:=[^&#?]*[&#?]?|[&#?])')`;
  return sql`list_transform(list_filter(${found}, lambda p: contains(p, '=') OR NOT ends_with(p, '?')), lambda p: rtrim(p, '&#?'))`;
};

/** Domains under which names are registered by anyone, besides the last label. */
const SECOND_LEVEL = sql`com|co|org|net|edu|gov|ac|mil|or|ne|go|gob|govt|ltd|plc|sch`;
const registered = (url: Sql): Sql => sql`regexp_extract(${domain(url)}, '([^.]+\\.(?:(?:${SECOND_LEVEL})\\.[a-zA-Z]{2}|[^.]+))$', 1)`;

export const URLS: readonly FunctionSpec[] = [
  part("protocol", STRING, (url) => extract(url, sql`^([a-zA-Z][a-zA-Z0-9+.-]*):`)),
  part("domain", STRING, domain),
  part("domainRFC", STRING, domainRfc),
  part("domainWithoutWWW", STRING, withoutWww),
  part("topLevelDomain", STRING, (url) => sql`regexp_extract(${domain(url)}, '\\.([^.0-9][^.]*)$', 1)`),
  part("cutToFirstSignificantSubdomain", STRING, registered),
  part("firstSignificantSubdomain", STRING, (url) => sql`string_split(${registered(url)}, '.')[1]`),
  part("port", UINT16, (url) => {
    const number = sql`TRY_CAST(${extract(url, sql`${START}(?:${HOST}*@)?${HOST}*\\.${LABEL}+:([0-9]{1,5})(?:/|$)`)} AS BIGINT)`;
    return sql`(CASE WHEN ${number} <= ${numeral(MAX_PORT)} THEN ${number} ELSE 0 END)`;
  }),
  part("path", STRING, (url) => fromPath(url, sql`[^?#]*`)),
  part("pathFull", STRING, (url) => fromPath(url, sql`.*`)),
  part("queryString", STRING, query),
  part("fragment", STRING, fragment),
  part("cutQueryString", STRING, (url) => sql`regexp_replace(${url}, '\\?[^#]*', '')`),
  part("cutFragment", STRING, (url) => sql`regexp_replace(${url}, '#.*$', '')`),
  part("cutQueryStringAndFragment", STRING, (url) => sql`string_split(${url}, CASE WHEN contains(${url}, '?') THEN '?' ELSE '#' END)[1]`),
  part("extractURLParameters", arrayType(STRING), pairs),
  part("extractURLParameterNames", arrayType(STRING), (url) => sql`list_transform(${pairs(url)}, lambda p: string_split(p, '=')[1])`),
  scalar({
    name: "extractURLParameter",
    takes: ["text", "text"],
    type: STRING,
    sql: (url, name) =>
      sql`coalesce(list_extract(list_transform(list_filter(${pairs(url)}, lambda p: starts_with(p, ${name} || '=')), lambda p: substring(p, length(${name}) + 2)), 1), '')`,
  }),
  scalar({
    name: "cutURLParameter",
    takes: ["text", "text"],
    type: STRING,
    sql: (url, name) => {
      const first = sql`'([?#&])' || regexp_escape(${name}) || '=[^&#]*&?'`;
      const found = sql`regexp_extract(${url}, ${first})`;
      const left = sql`CASE WHEN starts_with(${found}, '&') AND NOT ends_with(${found}, '&') THEN '' ELSE '\\1' END`;
      return sql`(CASE WHEN ${found} = '' THEN ${url} ELSE regexp_replace(${url}, ${first}, ${left}) END)`;
    },
  }),
];

const MAX_PORT = 65_535;
