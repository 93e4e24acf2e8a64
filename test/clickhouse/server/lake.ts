import { join } from "node:path";
import { fetchLibrary } from "../../../infra/local/clickhouse/library.ts";
import { type ClickHouseServer, startClickHouse } from "../../../infra/local/clickhouse/server.ts";
import { type LakeWorld, openLakeWorld } from "../lake/lake-world.ts";
import { stagesOf } from "../lake/stages.ts";
import { NOW, newProject, PROJECT } from "../project.ts";

/** A project's rows in the lake, gathered and waiting, and a ClickHouse over it. */
export interface ServedLake {
  readonly world: LakeWorld;
  readonly server: ClickHouseServer;
  close(): Promise<void>;
}

export const serveLake = async (): Promise<ServedLake> => {
  const world = await openLakeWorld(PROJECT, NOW);
  for (const stage of stagesOf(newProject()).slice(0, 3)) await stage.reach(world);
  const lake = { url: world.lakeUrl, accessKeyId: "local", secretAccessKey: "local" };
  const server = await startClickHouse({ packages: await fetchLibrary(), directory: join(world.directory, "clickhouse"), lake });
  return {
    world,
    server,
    async close() {
      await server.stop();
      await world.close();
    },
  };
};
