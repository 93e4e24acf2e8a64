import type { View } from "./view.ts";

interface ViewEntry {
  readonly name: string;
  readonly title: string;
  /** The key that leads to it after `g`. */
  readonly key: string;
  /** What a key needs to see it. */
  readonly scope: string;
  load(): Promise<{ readonly view: View }>;
}

/** All views, in the order of the navigation. */
export const VIEWS: readonly ViewEntry[] = [
  { name: "live", title: "Live", key: "l", scope: "query:read", load: () => import("./live/live.tsx") },
  { name: "ask", title: "Ask", key: "a", scope: "query:read", load: () => import("./ask/ask.tsx") },
  { name: "endpoints", title: "Endpoints", key: "e", scope: "endpoint:read", load: () => import("./endpoints/endpoints.tsx") },
  { name: "dashboards", title: "Dashboards", key: "d", scope: "dashboard:read", load: () => import("./dashboards/dashboards.tsx") },
  { name: "errors", title: "Errors", key: "x", scope: "error_tracking:read", load: () => import("./errors/errors.tsx") },
  { name: "usage", title: "Usage", key: "u", scope: "billing:read", load: () => import("./usage/usage.tsx") },
  { name: "health", title: "Health", key: "h", scope: "project:read", load: () => import("./health/health.tsx") },
];
