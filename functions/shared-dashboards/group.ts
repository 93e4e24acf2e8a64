import type { Group } from "../../lib/app/routes.ts";
import type { ReadConsole } from "../../lib/console/files.ts";
import { consolePage } from "../../lib/console/page.ts";
import { SHARED_HEADERS } from "../../lib/dashboards/shared-access.ts";
import { asksForPage } from "../../lib/http/request.ts";
import { router } from "../../lib/http/router.ts";
import { SHARED_PATH, sharedDashboards } from "./routes.ts";

const isPage = router([{ path: SHARED_PATH, value: true }]);

/** What the console's page can show: the dashboard, and that a link opens nothing. */
const SHOWN = new Set([200, 404]);

/**
 * What a public link opens. A browser gets the console's page, which asks for the dashboard itself; it is counted, looked up and
 * refused as that call is.
 */
export const sharedDashboardsGroup = (read: ReadConsole): Group =>
  Object.freeze({
    ...sharedDashboards,
    async serve(request, world) {
      if (!asksForPage(request) || isPage(request.path) === undefined) return sharedDashboards.serve(request, world);
      const headers = { ...request.headers, accept: "application/json" };
      const reply = await sharedDashboards.serve({ ...request, headers }, world);
      if (!SHOWN.has(reply.status)) return reply;
      const page = await consolePage(request, read, reply.status);
      return { ...page, headers: { ...page.headers, ...SHARED_HEADERS } };
    },
  } satisfies Group);
