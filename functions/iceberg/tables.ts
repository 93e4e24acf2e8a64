import type { World } from "../../lib/app/world.ts";
import type { PersonalCaller } from "../../lib/auth/callers.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import { readPublished, TABLE_NAMES, type TableName } from "../../lib/iceberg/metadata.ts";
import type { Publication } from "../../lib/lake/published.ts";
import type { Project } from "../../lib/projects/projects.ts";
import { credentialOfStore, credentialsByFolder, storeConfig, vendedCredentials } from "./credentials.ts";
import { noSuchTable } from "./errors.ts";
import { namespaceName } from "./namespaces.ts";

/** The tables of a project that were published at least once. */
export const listTables = async (world: World, { id }: Project) => {
  const published = await Promise.all(TABLE_NAMES.map((name) => readPublished(world.table, id, name)));
  const names = TABLE_NAMES.filter((_, index) => published[index] !== undefined);
  return { identifiers: names.map((name) => ({ namespace: [namespaceName(id)], name })) };
};

/** A published table of a project. */
export interface FoundTable {
  readonly project: Project;
  readonly name: TableName;
  readonly published: Publication;
}

/** Throws 404 for a table that is not there, or not yet. */
export const findTable = async (world: World, project: Project, asked: string): Promise<FoundTable> => {
  const name = TABLE_NAMES.find((each) => each === asked);
  if (name === undefined) throw noSuchTable(`A project has the tables ${TABLE_NAMES.join(", ")}, and none that is called "${asked}".`);
  const published = await readPublished(world.table, project.id, name);
  if (published === undefined) throw noSuchTable(unpublished(world, namespaceName(project.id), name));
  return { project, name, published };
};

const unpublished = ({ config }: World, namespace: string, name: TableName): string =>
  config.publish === "none"
    ? "This platform publishes no tables: its operator sets publish=iceberg."
    : `The table "${name}" of ${namespace} is not there yet: it is within an hour of the project's first rows for it.`;

/**
 * The answer to whoever loads a table, as JSON text: the metadata stand in it as they were published, digit by digit, because ids of
 * snapshots are longer than a number of JavaScript. Where it is asked to, it vends credentials for the table's files.
 */
export const loadedTable = async (
  world: World,
  { project, name, published }: FoundTable,
  caller: PersonalCaller,
  { vendsCredentials }: { readonly vendsCredentials: boolean },
): Promise<string> => {
  const [metadata, credentials] = await Promise.all([
    world.objects.get(published.metadata),
    vendsCredentials ? vendedCredentials(world, project.id, caller, refreshPath(project.id, name)) : undefined,
  ]);
  if (metadata === undefined) throw new Defect(`the published ${published.metadata} is not there`);
  const about = {
    "metadata-location": world.objects.uri(published.metadata),
    config: credentials ?? storeConfig(world),
    ...(credentials !== undefined && { "storage-credentials": credentialsByFolder(world, project.id, credentials) }),
  };
  return `${JSON.stringify(about).slice(0, -1)},"metadata":${Buffer.from(metadata).toString("utf8")}}`;
};

/** Newer credentials for a table's files; none where the platform vends none. */
export const tableCredentials = async (world: World, { project, name }: FoundTable, caller: PersonalCaller) => {
  const credentials = await vendedCredentials(world, project.id, caller, refreshPath(project.id, name));
  return { "storage-credentials": credentials === undefined ? [] : credentialOfStore(world, credentials) };
};

/** As clients write it below the catalogue's address. */
const refreshPath = (project: number, name: TableName): string => `v1/namespaces/${namespaceName(project)}/tables/${name}/credentials`;
