import type { FieldBook } from "../../../lib/http/openapi.ts";
import { RESULT } from "./endpoints.ts";

const SHOWN_TILE = {
  id: "Id of the tile, a UUID.",
  title: "What stands above the tile.",
  plot: "How the rows are drawn; `auto` lets the page choose by what they are.",
  width: "Columns of the page's twelve that the tile takes.",
  height: "Height of the tile, from 1 to 3.",
};

const TILE = {
  ...SHOWN_TILE,
  endpoint: "Name of the saved query endpoint whose rows the tile shows.",
  version: "Number of the version that is run; null for the newest.",
  title: "What stands above the tile; null for the endpoint's name.",
  variables: "Values of the run, as its `variables`.",
};

const CONTENT = {
  name: "What the dashboard is called, at most 400 characters.",
  description: "More about it, at most 1,000 characters; may be empty.",
  pinned: "Whether people shall find it first.",
  filters: "What is laid over all of its tiles.",
  tiles: "Its tiles, at most 24, in the order of the page.",
};

const REVISION = "Counts the changes of the dashboard, from 1.";

const SHARING = {
  enabled: "Whether there is a public link.",
  created_at: "When the link was made, ISO 8601 in UTC; null when there is none.",
  created_by: "Who made the link; null when there is none, or they are gone.",
};

/** Fields of dashboards, of their public links and of what these show. */
export const DASHBOARD_FIELDS: FieldBook["schemas"] = {
  Dashboard: {
    ...CONTENT,
    id: "Id of the dashboard, a UUID.",
    revision: `${REVISION} A change may name the one that it was made on.`,
    is_shared: "Whether there is a public link to it.",
    created_at: "When it was made, ISO 8601 in UTC.",
    updated_at: "When it was changed last, ISO 8601 in UTC.",
    created_by: "Who made it; null when they are gone.",
  },
  DashboardTile: TILE,
  DashboardFilters: {
    date_from: "Beginning of the range: a date, or a time before now such as `-7d`; null where each tile has its own.",
    date_to: "End of the range; null for now.",
    properties: "Conditions that events have to meet besides those of the queries; insights alone are narrowed by them.",
  },
  DashboardWrite: CONTENT,
  DashboardTileWrite: {
    ...TILE,
    id: "Id of a tile that is kept; a new tile has none and is given one.",
    version: "Number of the version to run; null or left out for the newest.",
    title: "What stands above the tile, at most 400 characters; null or left out for the endpoint's name.",
    plot: "How the rows are drawn; `auto`, also when left out, lets the page choose by what they are.",
    width: "Columns of the page's twelve that the tile takes; 6 when left out.",
    height: "Height of the tile, from 1 to 3; 1 when left out.",
    variables:
      "Values of the run, as its `variables`. Of SQL they win over the dates of the dashboard; of an insight its filters win, as `filters_override` does.",
  },
  DashboardChange: {
    ...CONTENT,
    tiles: "All of its tiles, at most 24, in the order of the page; one that is not sent is gone.",
    revision: "The revision that the change was made on: 409 where the dashboard is past it. Left out, nothing is compared.",
  },
  DashboardSharing: SHARING,
  DashboardSharingLink: { ...SHARING, url: "The link, shown once." },
  SharedDashboard: {
    name: "What the dashboard is called.",
    description: "More about it; may be empty.",
    timezone: "Time zone in which days begin and times are written.",
    filters: "What is laid over all of its tiles.",
    tiles: "Its tiles in the order of the page.",
  },
  SharedDashboardTile: SHOWN_TILE,
  SharedTileResult: {
    results: RESULT.results,
    columns: RESULT.columns,
    types: RESULT.types,
    hasMore: "Whether there are more rows than were sent.",
    is_cached: RESULT.is_cached,
    last_refresh: RESULT.last_refresh,
    timezone: RESULT.timezone,
    kind: "Kind of the query that was run.",
  },
};
