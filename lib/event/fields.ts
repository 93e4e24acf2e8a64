import { isExactNumber } from "../core/exact-json.ts";

/** A JSON object. Own keys only: `JSON.parse` makes `__proto__` an ordinary key of its own. */
export interface Fields {
  readonly [name: string]: unknown;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value);
