const AMPERSAND = 0x26;
const EQUALS = 0x3d;

/** A field of a form as it was sent: both parts still encoded. */
export interface FormPair {
  readonly name: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * The fields of a form, one after the other, each byte looked at once: whoever reads them counts and stops. What stands between two
 * `&` and is empty is no field; one without `=` has an empty value.
 */
export function* formPairs(form: Uint8Array): Generator<FormPair> {
  for (let start = 0; start < form.length; ) {
    let end = form.indexOf(AMPERSAND, start);
    if (end === -1) end = form.length;
    if (end > start) {
      const field = form.subarray(start, end);
      const equals = field.indexOf(EQUALS);
      yield equals === -1
        ? { name: field, value: field.subarray(field.length) }
        : { name: field.subarray(0, equals), value: field.subarray(equals + 1) };
    }
    start = end + 1;
  }
}
