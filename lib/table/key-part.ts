import { Defect } from "../core/unreachable.ts";

/** A value that fills a hole of a key template. */
export type KeyValue = string | number;

const PADDED_DIGITS = 16;

/**
 * A value as a part of a partition key or of a sort key. `#` separates parts and `%` starts an escape, so neither stands bare
 * inside one; half a surrogate pair is escaped because the wire would replace it. In a sort key a number is padded, so that
 * 2 comes before 10.
 */
export const keyPart = (value: KeyValue, place: "pk" | "sk"): string => {
  if (typeof value === "string") return value.replace(/[%#]|\p{Surrogate}/gu, escaped);
  if (!Number.isSafeInteger(value) || value < 0) throw new Defect(`a key takes whole numbers from 0 on, not ${value}`);
  return place === "sk" ? String(value).padStart(PADDED_DIGITS, "0") : String(value);
};

/** Two digits for `%` and `#`, four beginning with D for a surrogate: no escape is the beginning of another. */
const escaped = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The value that a part of a key stands for, as text. */
export const keyText = (part: string): string =>
  part.replace(/%(D[0-9A-F]{3}|[0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
