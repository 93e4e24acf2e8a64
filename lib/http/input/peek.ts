import { decodePercent, FORM_TYPE } from "../../core/form.ts";
import { textField } from "../../core/json-scan.ts";
import type { HttpRequest } from "../request.ts";
import { MAX_BODY_BYTES, mediaType, multipartBoundary } from "./body.ts";

/** Longest text that is read: no key is as long. */
const MOST_BYTES = 1_000;

/**
 * One text field of a body that nobody has been let in for yet, the last of its name: found in one pass over the bytes, without reading
 * any other field. A name that is written with escapes is not found, nor one in a body that is too long to be read; a longer text
 * than a thousand bytes is cut.
 */
export const peekField = ({ body, headers }: HttpRequest, name: string): string | undefined => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  if (body.length > MAX_BODY_BYTES || !bytes.includes(name)) return undefined;
  switch (mediaType(headers)) {
    case "application/json":
      return textField(body, name, MOST_BYTES);
    case FORM_TYPE:
      return formField(bytes, name);
    case "multipart/form-data":
      return partOfForm(bytes, name, multipartBoundary(headers));
    default:
      return undefined;
  }
};

const formField = (form: Buffer, name: string): string | undefined => {
  const later = form.lastIndexOf(`&${name}=`);
  const first = form.toString("latin1", 0, name.length + 1) === `${name}=` ? 0 : -1;
  if (later === -1 && first === -1) return undefined;
  const start = (later === -1 ? first : later + 1) + name.length + 1;
  const end = form.indexOf("&", start);
  return decodePercent(form.subarray(start, Math.min(end === -1 ? form.length : end, start + MOST_BYTES))).toString();
};

/** Parts are looked at from the last one on, and those that a name stands in, so many: a client sends one. */
const MOST_PLACES = 16;

const partOfForm = (form: Buffer, name: string, boundary: string | undefined): string | undefined => {
  if (boundary === undefined) return undefined;
  const wanted = `name="${name}"`;
  let at = form.lastIndexOf(wanted);
  for (let place = 0; place < MOST_PLACES && at > 0; place += 1, at = form.lastIndexOf(wanted, at - 1)) {
    const before = form.toString("latin1", Math.max(0, at - MOST_BYTES), at);
    const head = before.slice(before.lastIndexOf(`--${boundary}\r\n`));
    const after = form.toString("utf8", at + wanted.length, at + wanted.length + 2 * MOST_BYTES);
    const start = after.indexOf("\r\n\r\n");
    const end = after.indexOf(`\r\n--${boundary}`, start);
    if (head.startsWith("--") && !head.includes("\r\n\r\n") && start !== -1 && end !== -1) return after.slice(start + 4, end);
  }
  return undefined;
};
