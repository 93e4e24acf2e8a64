import type { Area } from "../area.ts";

const name = "pageviews-by-day";
const path = { name };

const TREND = {
  kind: "TrendsQuery",
  series: [{ kind: "EventsNode", event: "$pageview" }],
  interval: "day",
  dateRange: { date_from: "2026-11-16", date_to: "2026-11-19" },
  breakdownFilter: { breakdowns: [{ property: "$browser", type: "event" }] },
};

export const endpoints: Area = async ({ record, call }) => {
  await record("createEndpoint");
  await call("createEndpoint", { body: { name: "pageviews-by-browser", query: TREND } });
  await record("listEndpoints", { query: { limit: 10 } });
  await record("retrieveEndpoint", { path });
  await record("runEndpoint", { path });
  await record("runEndpointAsSaved", { path, query: { limit: 2 } });
  await record("updateEndpoint", { path });
  await record("replaceEndpoint", { path });
  const { id } = await record("createExport");
  await record("retrieveExport", { path: { id: String(id) } });
  await record("listEndpointVersions", { path });
  await record("getEndpointLastExecutionTimes");
  await record("listEndpointLogs", { path });
  await record("getEndpointDescription", { path });
  await record("getEndpointMaterializationConditions");
  await record("previewEndpointMaterialization", { path });
  await record("getEndpointMaterializationStatus", { path });
  const IN_LIST = "SELECT count() FROM events WHERE event IN [{variables.event_name}]";
  const variableId = "0190d0aa-0000-7000-8000-000000000002";
  const variables = { [variableId]: { variableId, code_name: "event_name", value: "$pageview" } };
  await call("createEndpoint", { body: { name: "count-of-events", query: { kind: "HogQLQuery", query: IN_LIST, variables } } });
  await record("suggestEndpointMaterialization", { path: { name: "count-of-events" } });
  await record("deleteEndpoint", { path: { name: "count-of-events" } });
};
