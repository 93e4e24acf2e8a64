/** The names under which a project's lists are counted. Apart from the schemas, which ingest does not carry. */
export const issueList = (project: number): string => `issues#${project}`;
/** Visible fingerprints. */
export const fingerprintList = (project: number): string => `fingerprints#${project}`;
export const stackFrameList = (project: number): string => `frames#${project}`;
export const releaseList = (project: number): string => `releases#${project}`;
