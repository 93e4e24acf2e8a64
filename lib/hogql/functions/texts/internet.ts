import { BOOLEAN, UINT32 } from "../../analysis/types.ts";
import { type FunctionSpec, type Scalar, scalar } from "../spec.ts";

const OCTET = "(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])";
const ADDRESS = `${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}`;

/** The number of an IPv4 address; NULL where the text is none. */
const numbered = (text: string): string => {
  const octets = [16_777_216, 65_536, 256, 1].map((weight, index) => `CAST(split_part(${text}, '.', ${index + 1}) AS BIGINT) * ${weight}`);
  return `CASE WHEN regexp_full_match(${text}, '${ADDRESS}') THEN ${octets.join(" + ")} END`;
};

const number = (name: string, sql: (found: string, text: string) => string, nulls: "strict" | "always"): Scalar =>
  scalar({ name, takes: ["text"], type: UINT32, nulls, sql: ([text = ""]) => sql(numbered(text), text) });

const GROUPS = "[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}";

/** The 32 digits of an IPv6 address, of which `::` leaves out zeros. */
const digits = (text: string): string => {
  const padded = (side: 1 | 2): string =>
    `array_to_string(list_transform(list_filter(string_split(split_part(lower(${text}), '::', ${side}), ':'), lambda g: g <> ''), lambda g: lpad(g, 4, '0')), '')`;
  return `(${padded(1)} || repeat('0', 32 - length(${padded(1)}) - length(${padded(2)})) || ${padded(2)})`;
};

/** Whether the leading `bits` of both IPv6 addresses are the same: whole digits, and what is left of the next one. */
const sameDigits = (address: string, network: string, bits: string): string => {
  const [whole, rest] = [`(${bits} // 4)`, `(${bits} % 4)`];
  const begin = (text: string): string => `left(${digits(text)}, ${whole})`;
  const next = (text: string): string => `((strpos('0123456789abcdef', substring(${digits(text)}, ${whole} + 1, 1)) - 1) >> (4 - ${rest}))`;
  return `(${begin(address)} = ${begin(network)} AND (${rest} = 0 OR ${next(address)} = ${next(network)}))`;
};

/** Whether the leading bits of the address are those of the range; an address of the other kind is outside of it. */
const inRange = (address: string, range: string): string => {
  const [network, bits] = [`split_part(${range}, '/', 1)`, `TRY_CAST(split_part(${range}, '/', 2) AS BIGINT)`];
  const is = (text: string, form: string): string => `regexp_full_match(${text}, '${form}')`;
  const size = `(1::BIGINT << (32 - ${bits}))`;
  const kinds = [
    `${is(range, `${ADDRESS}/(3[0-2]|[12]?[0-9])`)} THEN ${is(address, ADDRESS)} AND (${numbered(address)}) // ${size} = (${numbered(network)}) // ${size}`,
    `${is(range, `${GROUPS}/(12[0-8]|1[01][0-9]|[1-9]?[0-9])`)} THEN ${is(address, GROUPS)} AND ${sameDigits(address, network, bits)}`,
  ];
  const isAddress = `${is(address, ADDRESS)} OR ${is(address, GROUPS)}`;
  const refused = "error('isIPAddressInRange needs an address and a range such as 10.0.0.0/8 or 2001:db8::/32')";
  return `CASE WHEN ${address} IS NULL OR ${range} IS NULL THEN NULL WHEN NOT (${isAddress}) THEN ${refused} WHEN ${kinds.join(" WHEN ")} ELSE ${refused} END`;
};

export const INTERNET: readonly FunctionSpec[] = [
  number(
    "IPv4StringToNum",
    (found, text) => `CASE WHEN ${text} IS NULL THEN NULL ELSE coalesce(${found}, error('IPv4StringToNum needs an IPv4 address')) END`,
    "strict",
  ),
  number("IPv4StringToNumOrNull", (found) => `(${found})`, "always"),
  number("IPv4StringToNumOrDefault", (found, text) => `CASE WHEN ${text} IS NOT NULL THEN coalesce(${found}, 0) END`, "strict"),
  scalar({
    name: "isIPAddressInRange",
    takes: ["text", "text"],
    type: BOOLEAN,
    sql: ([address = "", range = ""]) => inRange(address, range),
  }),
];
