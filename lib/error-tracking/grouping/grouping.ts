import { GROUPING_VERSIONS, type GroupingVersion } from "../../event/grouping-versions.ts";

/** The version of the algorithm that a project keeps, and the one that it kept before, if it was switched. */
export interface Grouping {
  readonly version: GroupingVersion;
  readonly before?: GroupingVersion;
}

/** Of a project's item as it is stored: one that says nothing is older than the second version. */
export const readGrouping = (item: Readonly<Record<string, unknown>> | undefined): Grouping => {
  const [version, before] = [item?.grouping_version, item?.grouping_version_before].map((stored) =>
    GROUPING_VERSIONS.find((each) => each === stored),
  );
  return { version: version ?? 1, ...(before !== undefined && { before }) };
};
