import { numeral, type Sql, separated, sql } from "../../sql/fragment.ts";
import { arrayType, BOOLEAN, STRING, type Type, UINT16, UINT32 } from "../../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

/** Functions of a URL as a text: what a part is missing from is an empty text. */

const part = (name: string, type: Type, tree: (url: Sql) => Sql, ...aliases: readonly string[]): Scalar =>
  scalar({ name, aliases, takes: ["text"], type, sql: (url) => tree(url) });

const extract = (url: Sql, regex: Sql): Sql => sql`regexp_extract(${url}, '${regex}', 1)`;

/** The characters of a host, and those of its last label. */
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
    return sql`(CASE WHEN ${number} <= ${numeral(MAX_PORT)} THEN ${number} WHEN ${url} IS NOT NULL THEN 0 END)`;
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
      sql`(CASE WHEN ${url} IS NOT NULL THEN coalesce(list_extract(list_transform(list_filter(${pairs(url)}, lambda p: starts_with(p, ${name} || '=')), lambda p: substring(p, length(${name}) + 2)), 1), '') END)`,
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

const OCTET = sql`(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])`;
const ADDRESS = sql`${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}`;

/** The number of an IPv4 address; NULL where the text is none. */
const numbered = (text: Sql): Sql => {
  const octets = [16_777_216, 65_536, 256, 1].map(
    (weight, index) => sql`CAST(split_part(${text}, '.', ${numeral(index + 1)}) AS BIGINT) * ${numeral(weight)}`,
  );
  return sql`CASE WHEN regexp_full_match(${text}, '${ADDRESS}') THEN ${separated(octets, sql` + `)} END`;
};

const number = (name: string, tree: (found: Sql, text: Sql) => Sql, nulls: "strict" | "always"): Scalar =>
  scalar({ name, takes: ["text"], type: UINT32, nulls, sql: (text) => tree(numbered(text), text) });

const GROUPS = sql`[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}`;

/** The 32 digits of an IPv6 address, of which `::` leaves out zeros. */
const digits = (text: Sql): Sql => {
  const padded = (side: 1 | 2): Sql =>
    sql`array_to_string(list_transform(list_filter(string_split(split_part(lower(${text}), '::', ${numeral(side)}), ':'), lambda g: g <> ''), lambda g: lpad(g, 4, '0')), '')`;
  return sql`(${padded(1)} || repeat('0', 32 - length(${padded(1)}) - length(${padded(2)})) || ${padded(2)})`;
};

/** Whether the leading `bits` of both IPv6 addresses are the same: whole digits, and what is left of the next one. */
const sameDigits = (address: Sql, network: Sql, bits: Sql): Sql => {
  const [whole, rest] = [sql`(${bits} // 4)`, sql`(${bits} % 4)`];
  const begin = (text: Sql): Sql => sql`left(${digits(text)}, ${whole})`;
  const next = (text: Sql): Sql => sql`((strpos('0123456789abcdef', substring(${digits(text)}, ${whole} + 1, 1)) - 1) >> (4 - ${rest}))`;
  return sql`(${begin(address)} = ${begin(network)} AND (${rest} = 0 OR ${next(address)} = ${next(network)}))`;
};

/** Whether the leading bits of the address are those of the range; an address of the other kind is outside of it. */
const inRange = (address: Sql, range: Sql): Sql => {
  const [network, bits] = [sql`split_part(${range}, '/', 1)`, sql`TRY_CAST(split_part(${range}, '/', 2) AS BIGINT)`];
  const is = (text: Sql, form: Sql): Sql => sql`regexp_full_match(${text}, '${form}')`;
  const size = sql`(1::BIGINT << (32 - ${bits}))`;
  const kinds = [
    sql`${is(range, sql`${ADDRESS}/(3[0-2]|[12]?[0-9])`)} THEN ${is(address, ADDRESS)} AND (${numbered(address)}) // ${size} = (${numbered(network)}) // ${size}`,
    sql`${is(range, sql`${GROUPS}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])`)} THEN ${is(address, GROUPS)} AND ${sameDigits(address, network, bits)}`,
  ];
  const isAddress = sql`${is(address, ADDRESS)} OR ${is(address, GROUPS)}`;
  const refused = sql`error('isIPAddressInRange needs an address and a range such as 10.0.0.0/8 or 2001:db8::/32')`;
  return sql`CASE WHEN ${address} IS NULL OR ${range} IS NULL THEN NULL WHEN NOT (${isAddress}) THEN ${refused} WHEN ${separated(kinds, sql` WHEN `)} ELSE ${refused} END`;
};

export const INTERNET: readonly FunctionSpec[] = [
  number(
    "IPv4StringToNum",
    (found, text) => sql`CASE WHEN ${text} IS NULL THEN NULL ELSE coalesce(${found}, error('IPv4StringToNum needs an IPv4 address')) END`,
    "strict",
  ),
  number("IPv4StringToNumOrNull", (found) => sql`(${found})`, "always"),
  number("IPv4StringToNumOrDefault", (found, text) => sql`CASE WHEN ${text} IS NOT NULL THEN coalesce(${found}, 0) END`, "strict"),
  scalar({
    name: "isIPAddressInRange",
    takes: ["text", "text"],
    type: BOOLEAN,
    sql: (address, range) => inRange(address, range),
  }),
];
