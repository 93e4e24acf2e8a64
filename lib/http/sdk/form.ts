import { decodePercent, formPairs } from "../../core/form.ts";
import { Refused } from "../../event/refused.ts";
import { PEEK_BYTES, restorePluses } from "./base64.ts";

/** Most fields of a form: clients send four. */
const MAX_FORM_FIELDS = 1_000;

const FIELD = /(?:^|&)(?:data|_|ip|compression)=/;

export interface Form {
  readonly data: Buffer;
  readonly compression: string | undefined;
}

/** Whether a payload begins like one of the forms that clients send. */
export const looksLikeForm = (payload: Buffer): boolean => FIELD.test(payload.toString("latin1", 0, PEEK_BYTES));

/** The fields of a form that matter here. Decoding never makes anything longer, so the bound of the wire bounds it. */
export const readForm = (payload: Buffer): Form => {
  if (!looksLikeForm(payload)) {
    const hint = "the Content-Type says that the body is a form; of JSON it is application/json";
    throw new Refused(400, "failed to decode request: expected form data in POST request payload", hint);
  }
  let data: Uint8Array | undefined;
  let compression: string | undefined;
  let fields = 0;
  for (const { name, value } of formPairs(payload)) {
    fields++;
    if (fields > MAX_FORM_FIELDS) throw new Refused(400, `failed to decode request: the form has more than ${MAX_FORM_FIELDS} fields`);
    if (isNamed(name, "data")) data = value;
    if (isNamed(name, "compression")) compression = decodePercent(value).toString("latin1");
  }
  return { data: data === undefined ? Buffer.alloc(0) : restorePluses(decodePercent(data)), compression };
};

const isNamed = (name: Uint8Array, wanted: string): boolean =>
  name.length === wanted.length && Buffer.from(name.buffer, name.byteOffset, name.length).toString("latin1") === wanted;
