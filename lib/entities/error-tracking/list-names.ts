/** The names under which a project's lists are counted. Apart from the schemas, which ingest does not carry. */
export const issueList = (project: number): string => `errors#issues#${project}`;
/** Visible fingerprints. */
export const fingerprintList = (project: number): string => `errors#fingerprints#${project}`;
export const stackFrameList = (project: number): string => `errors#frames#${project}`;
export const releaseList = (project: number): string => `errors#releases#${project}`;
