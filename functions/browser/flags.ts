import { type AskingProject, remoteConfig } from "./remote-config.ts";

/** Who asks, and in which form he reads an answer. */
export interface FlagsRequest {
  readonly path: "flags" | "decide";
  /** The `v` of the query; 1 where there is none. */
  readonly version: number;
  readonly withConfig: boolean;
  readonly project: AskingProject;
  readonly requestId: string;
  readonly now: number;
}

/** No flags, in the form of the version that is asked for: from each change of it on, SDKs read only the new form. */
export const noFlags = ({ path, version, withConfig, project, requestId, now }: FlagsRequest): object => ({
  ...(path === "decide" || withConfig ? remoteConfig(project) : {}),
  ...(path === "decide" && { config: { enable_collect_everything: true }, featureFlagPayloads: {} }),
  errorsWhileComputingFlags: false,
  ...(detailed(path, version) ? { flags: {} } : plain(path, version)),
  requestId,
  evaluatedAt: now,
});

const detailed = (path: FlagsRequest["path"], version: number): boolean => version >= (path === "flags" ? 2 : 4);

/** The first `decide` listed the names of flags that are on. */
const plain = (path: FlagsRequest["path"], version: number): object =>
  path === "decide" && version < 2 ? { featureFlags: [] } : { featureFlags: {}, featureFlagPayloads: {} };

/** What server SDKs ask for, to decide flags by themselves. */
export const noDefinitions = () => ({ flags: [], group_type_mapping: {}, cohorts: {} });
