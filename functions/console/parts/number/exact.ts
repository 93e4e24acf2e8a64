import { type ExactNumber, isExactNumber } from "../../../../lib/core/exact-json.ts";

/** Whether a value is a number by its digits. Browsers that do not know such numbers have none. */
export const isExact = (value: unknown): value is ExactNumber => typeof JSON.isRawJSON === "function" && isExactNumber(value);

/** A value in a line, numbers by all their digits. */
export const valueText = (value: unknown): string => (isExact(value) ? value.rawJSON : String(value));
