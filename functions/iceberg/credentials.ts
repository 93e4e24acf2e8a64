import type { World } from "../../lib/app/world.ts";
import type { PersonalCaller } from "../../lib/auth/callers.ts";
import type { FileCredentials } from "../../lib/ports/file-access.ts";

/** Properties of clients, by the names that the catalogue's API gives them. */
type Properties = Readonly<Record<string, string>>;

interface StorageCredential {
  readonly prefix: string;
  readonly config: Properties;
}

/** The folders of the lake in which the files of a project's open tables lie: metadata, events, persons and their ids. */
const tablePrefixes = (project: number): readonly string[] => [
  `iceberg/project=${project}/`,
  `events/project=${project}/`,
  `state/${project}/persons/`,
  `state/${project}/distinct-ids/`,
];

/**
 * Where the files are, for whoever reads them by rights of their own. The address ends with a slash: ClickHouse cuts it off the addresses of
 * objects, and would keep that slash.
 */
export const storeConfig = ({ fileAccess: { store } }: Pick<World, "fileAccess">): Properties => ({
  "client.region": store.region,
  ...(store.endpoint !== undefined && { "s3.endpoint": `${store.endpoint}/`, "s3.path-style-access": "true" }),
});

/** Credentials of a project's tables for one caller, as properties; undefined where the platform vends none. `refreshPath`: where to get newer ones. */
export const vendedCredentials = async (
  world: Pick<World, "fileAccess">,
  project: number,
  { user }: PersonalCaller,
  refreshPath: string,
): Promise<Properties | undefined> => {
  const credentials = await world.fileAccess.vend(tablePrefixes(project), `user-${user.id}`);
  return credentials && { ...storeConfig(world), ...credentialsConfig(credentials, refreshPath) };
};

const credentialsConfig = (
  { accessKeyId, secretAccessKey, sessionToken, expiresAt }: FileCredentials,
  refreshPath: string,
): Properties => ({
  "s3.access-key-id": accessKeyId,
  "s3.secret-access-key": secretAccessKey,
  ...(sessionToken !== undefined && { "s3.session-token": sessionToken }),
  ...(expiresAt !== undefined && {
    "s3.session-token-expires-at-ms": String(expiresAt),
    "client.refresh-credentials-endpoint": refreshPath,
  }),
});

/** Credentials by the folders that they open: some clients use them for nothing but these. */
export const credentialsByFolder = (
  { objects }: Pick<World, "objects">,
  project: number,
  config: Properties,
): readonly StorageCredential[] => tablePrefixes(project).map((prefix) => ({ prefix: objects.uri(prefix), config }));

/** The same as one credential: clients that refresh theirs take no more than one. */
export const credentialOfStore = ({ objects }: Pick<World, "objects">, config: Properties): readonly StorageCredential[] => [
  { prefix: objects.uri(""), config },
];
