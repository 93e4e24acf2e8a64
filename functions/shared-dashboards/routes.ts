import { group, route } from "../../lib/app/routes.ts";
import { SHARED_HEADERS, sharedLink } from "../../lib/dashboards/shared-access.ts";
import { RUN_PARTITIONS } from "../../lib/endpoints/run-partitions.ts";
import { jsonWithHeaders } from "../../lib/http/reply.ts";
import { DescribedTileResult, SHARED_HEADER_TEXTS, SharedForm, sharedForm, TileResult } from "./wire.ts";

export const SHARED_PATH = "/shared/{token}/";

const shared = { method: "GET", tags: ["Dashboards"], access: sharedLink, throttle: "shared", errors: [429] } as const;

const page = route({
  ...shared,
  path: SHARED_PATH,
  summary: "The dashboard that a public link opens",
  description:
    "For everybody who has the link, without a key. What is no link, or is none any more, is 404. A browser, which asks for `text/html`, gets a page that shows it.",
  reply: jsonWithHeaders(200, SharedForm, SHARED_HEADER_TEXTS),
  handle: async ({ grant }) => ({ body: sharedForm(grant), headers: SHARED_HEADERS }),
});

const tile = route({
  ...shared,
  path: `${SHARED_PATH}tiles/{tile_id}/`,
  summary: "The rows of a tile of a shared dashboard",
  description:
    "Those of a run of its endpoint with the values that are saved with the tile and the filters of the dashboard. Nothing that is sent changes them.",
  reply: jsonWithHeaders(200, TileResult, SHARED_HEADER_TEXTS),
  described: { reply: DescribedTileResult },
  errors: [400, 429],
  handle: async ({ grant, params, world }) => ({
    body: await (await import("./run-tile.ts")).runTile(world, grant, params.tile_id),
    headers: SHARED_HEADERS,
  }),
});

export const sharedDashboards = group({
  name: "shared-dashboards",
  gateway: "management",
  uses: {
    // Of a project the slots of its runs are written. Nobody is known here, so nothing of people or keys is read.
    table: { read: [...RUN_PARTITIONS, "sharedLinks", "organization"], write: ["project", "throttle"] },
    objects: { read: ["fresh", "events", "state", "results", "tables"], write: ["results"] },
    engine: true,
  },
  routes: [page, tile],
});
