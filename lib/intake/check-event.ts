import type { RawEvent } from "../event/envelope.ts";
import { readDistinctId } from "../event/identity.ts";
import { Refused } from "../event/refused.ts";

/** Checks what every event must fulfil beyond its types. Throws `Refused` (400). */
export const checkEvent = (event: RawEvent): void => {
  if (event.event === "") throw new Refused(400, "event submitted with an empty event name");
  if (!isPlainId(event.distinct_id) && readDistinctId(event) === null) throw new Refused(400, "event submitted without a distinct_id");
  const cookieless = event.properties?.$cookieless_mode;
  if (cookieless !== undefined && typeof cookieless !== "boolean") {
    throw new Refused(400, "event submitted with invalid cookieless mode");
  }
};

/** The ordinary case, without making the text that would be stored. */
const isPlainId = (id: unknown): boolean => typeof id === "string" && id !== "";
