import { type Address, withQuery } from "../address.ts";
import type { Filters } from "./calls.ts";

/** The filters that an address lays over a dashboard's own. */
export const filtersInAddress = ({ query }: Address, own: Filters): Filters => {
  const hasDates = query.has("date_from") || query.has("date_to");
  return {
    ...(hasDates
      ? { date_from: query.get("date_from"), date_to: query.get("date_to") }
      : { date_from: own.date_from, date_to: own.date_to }),
    properties: conditions(query.get("properties")) ?? own.properties,
  };
};

/** Conditions as JSON; an address may hold anything. */
const conditions = (text: string | null): Filters["properties"] | undefined => {
  if (text === null) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((each) => typeof each?.key === "string") : undefined;
  } catch {
    return undefined;
  }
};

export const addressWith = (address: Address, { date_from, date_to, properties }: Filters): string =>
  withQuery(address, {
    date_from: date_from ?? undefined,
    date_to: date_to ?? undefined,
    properties: JSON.stringify(properties ?? []),
  });

export const NO_ADDRESS_FILTERS = { date_from: undefined, date_to: undefined, properties: undefined } as const;

export const sameFilters = (one: Filters, other: Filters): boolean =>
  (one.date_from || null) === (other.date_from || null) &&
  (one.date_to || null) === (other.date_to || null) &&
  JSON.stringify(one.properties ?? []) === JSON.stringify(other.properties ?? []);
