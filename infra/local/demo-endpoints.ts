/** Bodies of the saved query endpoints that a new platform starts with, as anyone would post them. */

const EVENT_NAME = "5f0b9a0e-1c7b-4a8b-9c0e-2f6d3f1f0a11";

export const DEMO_ENDPOINTS = [
  {
    name: "events-by-day",
    description: "How often an event happened, and by how many people, per day",
    query: {
      kind: "HogQLQuery",
      query:
        "SELECT toDate(timestamp) AS day, count() AS events, count(DISTINCT person_id) AS people FROM events WHERE event = {variables.event_name} GROUP BY day ORDER BY day",
      variables: { [EVENT_NAME]: { variableId: EVENT_NAME, code_name: "event_name", value: "$pageview", isNull: false } },
    },
  },
  {
    name: "pageviews-by-browser",
    description: "Page views per day and browser",
    query: {
      kind: "HogQLQuery",
      query:
        "SELECT toDate(timestamp) AS day, properties.$browser AS browser, count() AS pageviews FROM events WHERE event = '$pageview' GROUP BY day, browser ORDER BY day, browser",
    },
  },
  {
    name: "weekly-retention",
    description: "People of each first week who came back, by weeks since",
    query: {
      kind: "HogQLQuery",
      query:
        "SELECT first.week AS cohort, dateDiff('week', first.week, visit.week) AS weeks_later, count() AS people " +
        "FROM (SELECT person_id, toStartOfWeek(min(timestamp)) AS week FROM events WHERE event = '$pageview' GROUP BY person_id) AS first " +
        "JOIN (SELECT DISTINCT person_id, toStartOfWeek(timestamp) AS week FROM events WHERE event = '$pageview') AS visit ON visit.person_id = first.person_id " +
        "GROUP BY cohort, weeks_later ORDER BY cohort, weeks_later",
    },
  },
] as const;

/** The one that the console shows a call of. */
export const SHOWN_ENDPOINT = "pageviews-by-browser";
