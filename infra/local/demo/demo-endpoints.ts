/** Bodies of the saved query endpoints and of the dashboard that a new platform starts with, as anyone would post them. */

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
      kind: "TrendsQuery",
      series: [{ kind: "EventsNode", event: "$pageview", math: "total" }],
      interval: "day",
      dateRange: { date_from: "-30d" },
      breakdownFilter: { breakdowns: [{ property: "$browser", type: "event" }] },
    },
  },
  {
    name: "weekly-retention",
    description: "People of each first week who came back, by weeks since",
    query: {
      kind: "RetentionQuery",
      dateRange: { date_from: "-7w" },
      retentionFilter: {
        retentionType: "retention_first_time",
        period: "Week",
        totalIntervals: 8,
        targetEntity: { id: "$pageview", type: "events" },
        returningEntity: { id: "$pageview", type: "events" },
      },
    },
  },
] as const;

/** The one that the console shows a call of. */
export const SHOWN_ENDPOINT = "events-by-day";

/** All three on one page. */
export const DEMO_DASHBOARD = {
  name: "Overview",
  description: "Page views, people and browsers of the demo, and who comes back",
  pinned: true,
  tiles: [
    { endpoint: "events-by-day", title: "Page views and people", plot: "line", width: 12, height: 2 },
    { endpoint: "pageviews-by-browser", title: "Page views by browser", plot: "line", width: 6, height: 2 },
    { endpoint: "weekly-retention", title: "Who comes back", plot: "heat_map", width: 6, height: 2 },
  ],
} as const;
