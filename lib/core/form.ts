const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];

/** The content type of a form. */
export const FORM_TYPE = "application/x-www-form-urlencoded";

/** A field of a form as it was sent: both parts still encoded. */
export interface FormPair {
  readonly name: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * The fields of a form (`FORM_TYPE`), one after the other, each byte looked at once: the reader counts them and
 * may stop. Nothing between two `&` is no field; a field without `=` has an empty value.
 */
export function* formPairs(form: Uint8Array): Generator<FormPair> {
  for (let start = 0; start < form.length; ) {
    if (form[start] === AMPERSAND) {
      start++;
      continue;
    }
    let end = form.indexOf(AMPERSAND, start);
    if (end === -1) end = form.length;
    const field = form.subarray(start, end);
    const equals = field.indexOf(EQUALS);
    yield equals === -1
      ? { name: field, value: field.subarray(field.length) }
      : { name: field.subarray(0, equals), value: field.subarray(equals + 1) };
    start = end + 1;
  }
}

/** The bytes that a field of a form stands for, which may be of any kind. An escape that is none stays as it is; never longer. */
export const decodePercent = (bytes: Uint8Array): Buffer => {
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
