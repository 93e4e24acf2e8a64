import * as z from "zod";
import { parseInstant } from "../core/time.ts";

/**
 * Fields of bodies and queries as the contract reads them: a form and a query carry text only, and JSON clients send numbers
 * where text is meant. Each helper also describes itself in the API's description.
 */

/** Text. A number is taken as its digits, spaces around are dropped, and empty text is refused unless `blank` allows it. */
export const text = ({ max, blank = false }: { readonly max?: number; readonly blank?: boolean } = {}) => {
  const plain = blank ? z.string() : z.string().min(1);
  return z.preprocess(toText, max === undefined ? plain : plain.max(max));
};

/** A whole number, also as text; 5.0 is one, 5.5 and true are none. Bounds are inclusive. */
export const integer = ({ min, max }: { readonly min?: number; readonly max?: number } = {}) => {
  const least = min === undefined ? z.int(INTEGER) : z.int(INTEGER).min(min);
  return z.preprocess(toInteger, max === undefined ? least : least.max(max));
};

/** A number, also as text. Bounds are inclusive. */
export const number = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.preprocess(toNumber, z.number(NUMBER).min(min).max(max));

/** True or false, also as the words and digits that forms use. */
export const boolean = () => z.preprocess(toBoolean, z.boolean());

/** A moment as it is written, ISO 8601: with seconds or without them, with an offset or without. */
export const moment = () => z.stringFormat("datetime", (text) => MOMENTS.some((form) => form.test(text)), { error: DATETIME });

/** A moment; without an offset it is UTC. Gives milliseconds since 1970. */
export const datetime = () =>
  z.codec(moment(), z.number(), {
    decode: parseInstant,
    encode: (ms) => new Date(ms).toISOString(),
  });

/** A moment as `datetime` takes it, in microseconds since 1970; finer digits are dropped. */
export const microseconds = () =>
  moment().transform((iso) => {
    const [, finer = ""] = /\.\d{3}(\d{1,3})/.exec(iso) ?? [];
    return parseInstant(iso) * 1_000 + Number(finer.padEnd(3, "0"));
  });

/** A UUID of any version, in lower case. */
export const uuid = () => z.guid(UUID).toLowerCase();

type UserError = { error: (issue: z.core.$ZodRawIssue) => string | undefined };

/** The text for a value that is there but of the wrong kind; absent and null keep the texts that every field has. */
const wrongKind = (detail: string): UserError => ({
  error: (issue) => (issue.input === undefined || issue.input === null ? undefined : detail),
});

const INTEGER = { error: wrongNumber("A valid integer is required.") };
const NUMBER = { error: wrongNumber("A valid number is required.") };
const UUID = wrongKind("Must be a valid UUID.");
const DATETIME = wrongKind(
  "Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].",
).error;
/** The second is the one that the first leaves out: minutes with an offset. */
const MOMENTS = [z.regexes.datetime({ offset: true, local: true }), z.regexes.datetime({ offset: true, precision: -1 })];

function wrongNumber(detail: string) {
  return (issue: z.core.$ZodRawIssue): string | undefined => (issue.code === "invalid_type" ? wrongKind(detail).error(issue) : undefined);
}

const toText = (input: unknown): unknown => {
  if (typeof input === "string") return input.trim();
  return typeof input === "number" && Number.isFinite(input) ? String(input) : input;
};

const WHOLE = /^\s*[+-]?\d+(\.0*)?\s*$/;

const toInteger = (input: unknown): unknown => (typeof input === "string" && WHOLE.test(input) ? Number(input) : input);

const DECIMAL = /^\s*[+-]?\d+(\.\d*)?\s*$/;

/** A number that is written as text, as that number; all else as it is. */
export const toNumber = (input: unknown): unknown => (typeof input === "string" && DECIMAL.test(input) ? Number(input) : input);

const TRUE: ReadonlySet<unknown> = new Set([true, 1, "1", "t", "true", "y", "yes", "on"]);
const FALSE: ReadonlySet<unknown> = new Set([false, 0, "0", "f", "false", "n", "no", "off"]);

/** The words and digits that forms use for true and false, as these; all else as it is. */
export const toBoolean = (input: unknown): unknown => {
  const word = typeof input === "string" ? input.toLowerCase() : input;
  if (TRUE.has(word)) return true;
  return FALSE.has(word) ? false : input;
};
