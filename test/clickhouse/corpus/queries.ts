import type { QueryCase } from "./case.ts";

/** A query's text, or its text with what it is run with. */
type Written = string | (Omit<QueryCase, "name" | "part" | "ordered"> & { readonly query: string });

/**
 * Cases of one family, named after it and their titles. Whoever writes an ORDER BY on the outside of a query writes it total, so
 * the order of such a query's rows is compared.
 */
export const queries = (part: QueryCase["part"], family: string, written: Readonly<Record<string, Written>>): readonly QueryCase[] =>
  Object.entries(written).map(([title, text]) => {
    const { query, ...options } = typeof text === "string" ? { query: text } : text;
    return { part, name: kebab(`${family} ${title}`), query, ...options, ...(ordersRows(query) ? { ordered: true } : {}) };
  });

const kebab = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Whether ORDER BY stands outside of every parenthesis and text. */
export const ordersRows = (query: string): boolean => {
  const bare = query.replace(/'(?:[^'\\]|\\.|'')*'/g, "''");
  return /\border by\b/i.test(outside(bare));
};

const outside = (text: string): string => {
  const inner = text.replace(/[([{][^()[\]{}]*[)\]}]/g, "");
  return inner === text ? text : outside(inner);
};
