/** The versions of the algorithm that groups exceptions, the newest last: the one that a new project gets. */
export const GROUPING_VERSIONS = [1, 2] as const;
export type GroupingVersion = (typeof GROUPING_VERSIONS)[number];
export const NEWEST_GROUPING: GroupingVersion = 2;
