import * as z from "zod";
import { integer, microseconds, text } from "../../../lib/http/fields.ts";
import { PageQuery } from "../../../lib/http/pagination.ts";

/** A person as clients know one. */
export const Person = z
  .object({
    id: z.string(),
    uuid: z.string(),
    name: z.string(),
    distinct_ids: z.array(z.string()),
    properties: z.record(z.string(), z.unknown()),
    is_identified: z.boolean(),
    created_at: z.string().nullable(),
    last_seen_at: z.string().nullable(),
  })
  .meta({ id: "Person" });
export type Person = z.input<typeof Person>;

/** Longer than any distinct_id or address that is stored. */
const MOST_CHARACTERS = 1_000;

const filterText = (description: string) => text({ max: MOST_CHARACTERS }).optional().meta({ description });

export const PersonsQuery = PageQuery.extend({
  distinct_id: filterText("Only the person that this distinct id belongs to now."),
  email: filterText("Only persons with this value of the property `email`."),
  search: filterText("Only persons with this id, this distinct id or this value of `email`, whole and as written."),
  properties: z
    .string()
    .max(8_000)
    .optional()
    .meta({ description: 'Filters of persons as a JSON list, all of which hold: `[{"key": "plan", "value": "free", "type": "person"}]`.' }),
});
export type PersonsQuery = z.output<typeof PersonsQuery>;

/** An event of a person. */
export const PersonEvent = z
  .object({
    id: z.string(),
    uuid: z.string(),
    event: z.string(),
    distinct_id: z.string(),
    timestamp: z.string(),
    created_at: z.string(),
    properties: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "PersonEvent" });
export type PersonEvent = z.input<typeof PersonEvent>;

/** Events of a person, newest first. */
export const PersonEvents = z.object({ next: z.url().nullable(), results: z.array(PersonEvent) }).meta({ id: "PersonEvents" });

export const PersonEventsQuery = z.object({
  after: microseconds()
    .optional()
    .meta({ description: "Only events with a time from this one on, ISO 8601; 30 days before `before` when left out." }),
  before: microseconds()
    .optional()
    .meta({ description: "Only events with a time before this one, ISO 8601; a day from now when left out." }),
  event: filterText("Only events of this name."),
  limit: integer({ min: 1, max: 500 }).default(100).meta({ description: "The most events of an answer." }),
  cursor: text({ max: 4_000 }).optional().meta({ description: "Where the answer before ended: `next` has it." }),
});
export type PersonEventsQuery = z.output<typeof PersonEventsQuery>;
