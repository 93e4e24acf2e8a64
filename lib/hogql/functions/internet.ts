import { BOOLEAN, UINT32 } from "../types.ts";
import { type FunctionSpec, type Scalar, scalar } from "./spec.ts";

const OCTET = "(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])";
const ADDRESS = `${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}`;

/** The number of an IPv4 address; NULL where the text is none. */
const numbered = (text: string): string => {
  const octets = [16_777_216, 65_536, 256, 1].map((weight, index) => `CAST(split_part(${text}, '.', ${index + 1}) AS BIGINT) * ${weight}`);
  return `CASE WHEN regexp_full_match(${text}, '${ADDRESS}') THEN ${octets.join(" + ")} END`;
};

const number = (name: string, sql: (found: string, text: string) => string, nulls: "strict" | "always"): Scalar =>
  scalar({ name, takes: ["text"], type: UINT32, nulls, sql: ([text = ""]) => sql(numbered(text), text) });

/** Whether the leading `bits` of both numbers are the same. */
const inRange = (address: string, range: string): string => {
  const [network, bits] = [`split_part(${range}, '/', 1)`, `split_part(${range}, '/', 2)`];
  const isRange = `regexp_full_match(${range}, '${ADDRESS}/(3[0-2]|[12]?[0-9])')`;
  const size = `(1::BIGINT << (32 - CAST(${bits} AS BIGINT)))`;
  const same = `(${numbered(address)}) // ${size} = (${numbered(network)}) // ${size}`;
  return `CASE WHEN ${address} IS NULL OR ${range} IS NULL THEN NULL WHEN ${isRange} AND regexp_full_match(${address}, '${ADDRESS}') THEN ${same} WHEN ${isRange} AND regexp_full_match(${address}, '[0-9a-fA-F:.]*:[0-9a-fA-F:.]*') THEN false ELSE error('isIPAddressInRange needs an address and an IPv4 range such as 10.0.0.0/8') END`;
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
