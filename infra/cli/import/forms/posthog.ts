import { exactJson } from "../../../../lib/core/exact-json.ts";
import { type Fields, isFields } from "../../../../lib/event/fields.ts";
import { type Form, firstSaid, NoEvent, said } from "./form.ts";

/** Names that only an export has. */
const OF_EXPORTS = ["set", "set_once", "team_id", "inserted_at", "_inserted_at", "person_id", "person_properties", "elements", "person"];

/**
 * PostHog's batch exports, whose properties are an object or its JSON as text, and the events of its API. What an export says beside
 * the properties of the person's (`set`, `set_once`) stands in the properties, too.
 */
export const posthogForm: Form = {
  name: "posthog",
  knows: (record) =>
    typeof record.event === "string" &&
    (record.distinct_id !== undefined || record.uuid !== undefined) &&
    (typeof record.properties === "string" || OF_EXPORTS.some((name) => Object.hasOwn(record, name))),
  read(record) {
    const properties = parsed(record.properties);
    const chain = said(record.elements_chain);
    const ip = said(record.ip);
    return {
      event: record.event,
      distinct_id: record.distinct_id,
      uuid: firstSaid(record.uuid, record.id),
      timestamp: record.timestamp,
      properties: {
        ...properties,
        ...(chain !== undefined && properties.$elements_chain === undefined && { $elements_chain: chain }),
        ...(ip !== undefined && properties.$ip === undefined && { $ip: ip }),
      },
    };
  },
};

const parsed = (properties: unknown): Fields => {
  if (said(properties) === undefined) return {};
  const value = typeof properties === "string" ? fromText(properties) : properties;
  if (!isFields(value)) throw new NoEvent("properties must be an object, or the JSON of one");
  return value;
};

const fromText = (text: string): unknown => {
  try {
    return exactJson(text);
  } catch {
    throw new NoEvent("properties are a text that is no JSON");
  }
};
