/** The one formula for object keys and table keys of the lake, used by writer, reader, sweeper and published table. */

export const segmentKey = (project: number, partition: string, ulid: string): string => `fresh/${project}/${partition}/${ulid}.parquet`;
export const eventFileKey = (project: number, partition: string, ulid: string): string =>
  `events/project=${project}/month=${partition}/${ulid}.parquet`;
export const manifestKey = (project: number, partition: string, ulid: string): string => `state/${project}/manifests/${partition}/${ulid}`;
export const deltaKey = (project: number, ulid: string): string => `state/${project}/deltas/${ulid}`;
export const snapshotKey = (project: number, kind: "persons" | "distinct-ids" | "groups" | "history", ulid: string): string =>
  `state/${project}/${kind}/${ulid}.parquet`;
export const usageKey = (organization: string, month: string): string => `usage/${organization}/${month}`;
export const pointerKey = (ulid: string): string => `messages/${ulid}`;
export const resultKey = (project: number, digest: string): string => `results/${project}/${digest}`;

/** All prefixes that hold objects of one project: what removal deletes and the audit lists. */
export const projectPrefixes = (project: number): readonly string[] => [
  `fresh/${project}/`,
  `events/project=${project}/`,
  `state/${project}/`,
  `results/${project}/`,
];

export const lakePk = (project: number): string => `lake#${project}`;
export const HEAD_SK = "head";
export const commitSk = (ulid: string): string => `commit#${ulid}`;
export const retiredSk = (ulid: string): string => `retired#${ulid}`;
