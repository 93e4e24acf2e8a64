import { Refused } from "../../lib/lake/refused.ts";
import { PEEK_BYTES, restorePluses } from "./base64.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";

const FIELD = /(?:^|&)(?:data|_|ip|compression)=/;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

export interface Form {
  readonly data: Buffer;
  readonly compression: string | undefined;
}

/** Whether a payload begins like one of the forms that clients send. */
export const looksLikeForm = (payload: Buffer): boolean => FIELD.test(payload.toString("latin1", 0, PEEK_BYTES));

/** The fields of a form that matter here. Decoding never makes anything longer, so the bound of the wire bounds it. */
export const readForm = (payload: Buffer): Form => {
  if (!looksLikeForm(payload)) {
    throw new Refused(400, "failed to decode request: expected form data in POST request payload");
  }
  let data: Buffer | undefined;
  let compression: string | undefined;
  for (let start = 0; start <= payload.length; ) {
    const next = payload.indexOf(AMPERSAND, start);
    const end = next === -1 ? payload.length : next;
    const equals = payload.indexOf(EQUALS, start);
    if (equals !== -1 && equals < end) {
      const name = payload.toString("latin1", start, Math.min(equals, start + PEEK_BYTES));
      if (name === "data") data = payload.subarray(equals + 1, end);
      if (name === "compression") compression = percentDecoded(payload.subarray(equals + 1, end)).toString("latin1");
    }
    start = end + 1;
  }
  return { data: data === undefined ? Buffer.alloc(0) : restorePluses(percentDecoded(data)), compression };
};

/** Bytes, not text: a field may hold anything. An escape that is none stays as it is. */
const percentDecoded = (bytes: Buffer): Buffer => {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? hexDigit(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : hexDigit(bytes[at + 2]);
    if (low !== -1) at += 2;
    out[length++] = low === -1 ? (byte === PLUS ? SPACE : byte) : high * 16 + low;
  }
  return out.subarray(0, length);
};

const hexDigit = (byte: number | undefined): number => {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
};
