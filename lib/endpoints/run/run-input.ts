import type { DashboardFilter } from "../../insight/query.ts";

/** What a run is asked for, from body and query string; the body wins. */
export interface RunInput {
  readonly version: number | undefined;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
  readonly refresh: "cache" | "force" | "direct";
  readonly debug: boolean;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly filtersOverride: DashboardFilter | undefined;
}

/** When and where a run takes place: milliseconds since 1970, and the project's time zone. */
export interface Moment {
  readonly now: number;
  readonly timezone: string;
}
