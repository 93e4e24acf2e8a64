import type { FieldBook } from "../../../lib/http/openapi.ts";
import { RESULT, RUN_VALUES } from "./endpoints.ts";

/** Fields of queries that are not saved, and of the names to write one with. */
export const QUERY_FIELDS: FieldBook["schemas"] = {
  QueryRequest: {
    ...RUN_VALUES,
    query: "The query to run: SQL, a trend or a retention.",
    filters_override: "Of insights only, and it wins over the variables: dates and filters as a dashboard lays them over its tiles.",
    client_query_id: "An id of the caller's own for this query, which is sent back.",
    refresh: "How fresh the rows shall be, as clients say it: whatever it is, they are computed by this call.",
    name: "What the caller calls the query; it is taken and means nothing.",
  },
  QueryResult: {
    ...RESULT,
    hasMore: "Whether there are more rows than were sent: than the `limit`, or than the 100 of a query without one.",
    metadata: "Always null: the query was checked before it was run.",
    is_cached: "Always false: the rows are computed by each call.",
    client_query_id: "The id that the caller sent; null when none was.",
  },
  LiveEvents: {
    results: "The events that came, the newest first by their arrival.",
    next: "Send it as `after` to get what comes from here on.",
    minutes:
      "How many events minutes have by their times, oldest first: at first the last 60, later from the first that may have changed to this one. Each replaces the number that was told before.",
    "minutes.minute": "When the minute begins, ISO 8601.",
    "minutes.events": "How many events it has, of those that the filters let through.",
    has_more: "Whether more came than were sent.",
  },
  LiveEvent: {
    uuid: "Id of the event.",
    event: "Name of the event.",
    timestamp: "Time of the event, ISO 8601.",
    created_at: "When it was received, ISO 8601.",
    distinct_id: "The distinct id that it was sent with.",
    person_id: "Id of the person that the distinct id belongs to now.",
    properties: "All of its properties, as sent.",
  },
  Person: {
    id: "Id of the person, a UUID: that of the distinct id whose person it was first.",
    uuid: "The same id, as clients look for it.",
    name: "What people know the person by: its `email`, `name` or `username`, or else a distinct id.",
    distinct_ids: "The distinct ids that belong to the person now, those that a client made up last.",
    properties: "All of its properties, as they are now.",
    is_identified: "Whether somebody said who it is, by an `$identify` or alike.",
    created_at: "Time of the first event that made it, ISO 8601; null where none is known.",
    last_seen_at: "Time of its latest event, ISO 8601; null where none is known.",
  },
  PersonEvents: {
    next: "Address of the events before these; null when there are none within the times that are asked for.",
    results: "Events of all distinct ids of the person, the newest first.",
  },
  PersonEvent: {
    id: "Id of the event.",
    uuid: "The same id, as clients look for it.",
    event: "Name of the event.",
    distinct_id: "The distinct id that it was sent with.",
    timestamp: "Time of the event, ISO 8601.",
    created_at: "When it was received, ISO 8601.",
    properties: "All of its properties, as sent.",
  },
  PropertyValues: {
    results: "The most frequent values, those with most first.",
    "results.name": "The value as text.",
    "results.count": "How many events, persons or groups have it.",
    refreshing: "Always false: the values are read when they are asked for.",
  },
  QuerySchema: {
    tables: "The tables that queries may name.",
    functions: "The functions of the language, without those that are refused.",
  },
  QuerySchemaTable: {
    name: "Name of the table.",
    columns: "The names of its columns.",
  },
  QuerySchemaFunction: {
    name: "Name of the function, or another name of it.",
    family: "What it is about.",
  },
  EventDefinition: {
    name: "Name of the event.",
    last_seen_at: "Time of the latest such event, ISO 8601.",
    volume_30_day: "How many such events have a time in the last 30 days.",
  },
  PropertyDefinition: {
    name: "Name of the property.",
    type: "Whose property it is: an event's, a person's or a group's.",
    group_type_index: "Of a group, the place of its type, from 0; else null.",
    property_type: "What queries take its values for.",
    is_numerical: "Whether they are numbers.",
    earned_columns: "The columns of their own that new files have for it, because queries name it; groups of all types share theirs.",
  },
  EarnedPropertyColumn: {
    type: "Whether it holds the values as texts or as numbers.",
    since: "Since when files that are written get it, ISO 8601.",
    named_at: "When a query last named the property so, to the day, ISO 8601. It loses the column 90 days later, or to others.",
    named_by: "Which query that was.",
  },
};
