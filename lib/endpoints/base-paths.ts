/** Saved queries are found under both names of a project's place; ids are the same numbers. */
const BASE_PATHS = ["/api/projects/{project_id}/endpoints", "/api/environments/{project_id}/endpoints"] as const;
type BasePath = (typeof BASE_PATHS)[number];

/** The same operation under each base path. */
export const underEachBase = <R>(declare: (base: BasePath) => R): readonly R[] => BASE_PATHS.map(declare);
