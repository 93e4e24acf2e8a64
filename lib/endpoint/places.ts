import type { Route } from "../http/route.ts";

/** Saved queries are found under both names of a project's place; ids are the same numbers. */
export const PLACES = ["/api/projects/{project_id}/endpoints", "/api/environments/{project_id}/endpoints"] as const;
export type Place = (typeof PLACES)[number];

/** The same operation under each place. */
export const everywhere = (declare: (place: Place) => Route): readonly Route[] => PLACES.map(declare);
