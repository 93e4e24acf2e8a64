import * as z from "zod";
import { type Fields, isFields } from "../../../lib/event/fields.ts";

/** Why a rule is out of force: the message, and what of the event it failed on. */
export const DisabledData = z.record(z.string(), z.unknown()).nullable().meta({ id: "ErrorTrackingRuleDisabled" });

/** Characters of it that each rule of a list may show: a list shows all rules at once. */
const MOST_LISTED = 4_000;

export const disabledData = (text: string | null): Fields | null => {
  const data: unknown = text === null ? null : JSON.parse(text);
  return isFields(data) ? data : null;
};

/** The same, without the event's properties where they are long. */
export const disabledDataListed = (text: string | null): Fields | null => {
  const data = disabledData(text);
  if (data === null || text === null || text.length <= MOST_LISTED) return data;
  return { ...data, ...("props" in data && { props: {} }), ...("properties" in data && { properties: {} }) };
};
