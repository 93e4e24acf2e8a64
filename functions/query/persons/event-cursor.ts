import * as z from "zod";
import { invalid } from "../../../lib/http/errors.ts";

/** The place of an event among those of a person: its time in microseconds, and what tells it from others of that time. */
export interface EventPlace {
  readonly time: bigint;
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
}

/** A place as clients carry it, in letters that an address takes as they are. */
export const cursorText = ({ time, uuid, event, distinct_id }: EventPlace): string =>
  Buffer.from(JSON.stringify([VERSION, String(time), uuid, event, distinct_id])).toString("base64url");

const VERSION = 1;

const Cursor = z.tuple([z.literal(VERSION), z.string().regex(/^-?\d{1,18}$/), z.guid(), z.string(), z.string()]);

/** The place that a cursor names. Throws 400 for anything else. */
export const readCursor = (text: string): EventPlace => {
  const read = Cursor.safeParse(decoded(text));
  if (!read.success) throw invalid("cursor", "This is no cursor: take `next` of the answer before as it came, or leave it out.");
  const [, time, uuid, event, distinct_id] = read.data;
  return { time: BigInt(time), uuid, event, distinct_id };
};

const decoded = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    return undefined;
  }
};
