import { readPublished, readTableMetadata, TABLE_NAMES, type TableMetadata, type TableName } from "../../lib/iceberg/metadata.ts";
import type { PublishWorld } from "./world.ts";

type Parts = Pick<PublishWorld, "table" | "objects" | "tableRegistry">;

/** A registry has one list of tables for all projects. */
const registeredName = (project: number, name: TableName): string => `project_${project}_${name}`;

/** Tells the registry, where the deployment has one, what describes each published table of a project now: as the pointers say, not the caller. */
export const registerTables = async ({ table, objects, tableRegistry }: Parts, project: number): Promise<void> => {
  if (!tableRegistry.isConfigured) return;
  for (const name of TABLE_NAMES) {
    const published = await readPublished(table, project, name);
    if (published === undefined) continue;
    const metadata = await readTableMetadata(objects, published);
    await tableRegistry.register({
      name: registeredName(project, name),
      location: metadata.location,
      metadata: objects.uri(published.metadata),
      columns: currentColumns(metadata),
    });
  }
};

const currentColumns = ({ schemas, "current-schema-id": current }: TableMetadata) =>
  schemas.find((schema) => schema["schema-id"] === current)?.fields ?? [];

/** Takes the tables of a project that is removed off the registry. */
export const forgetTables = async ({ tableRegistry }: Parts, project: number): Promise<void> => {
  if (!tableRegistry.isConfigured) return;
  for (const name of TABLE_NAMES) await tableRegistry.forget(registeredName(project, name));
};
