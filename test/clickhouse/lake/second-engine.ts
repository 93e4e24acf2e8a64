import { join } from "node:path";
import { fetchLibrary } from "../../../infra/local/clickhouse/library.ts";
import { startClickHouse } from "../../../infra/local/clickhouse/server.ts";
import { openClickHouse } from "../../../lib/clickhouse/open.ts";
import type { Engine } from "../../../lib/engine/engine.ts";
import { clientAs } from "../../support/clickhouse-client.ts";
import type { LakeWorld } from "./lake-world.ts";

/** ClickHouse over the object store of a world, through the product's own adapter. */
export interface SecondEngine {
  readonly engine: Pick<Engine, "run" | "write">;
  stop(): Promise<void>;
}

export const openSecondEngine = async (world: LakeWorld): Promise<SecondEngine> => {
  const lake = { url: world.lakeUrl, accessKeyId: "local", secretAccessKey: "local" };
  const server = await startClickHouse({ packages: await fetchLibrary(), directory: join(world.directory, "clickhouse"), lake });
  const client = clientAs(server.url, server.platform);
  const engine = openClickHouse({ ...world, client, cluster: "", directory: join(world.directory, "tables") });
  return {
    engine,
    async stop() {
      await engine.close();
      await server.stop();
    },
  };
};
