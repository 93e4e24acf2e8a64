import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { S3Client } from "@aws-sdk/client-s3";
import { lakeAddress } from "../../../infra/local/clickhouse/lake-address.ts";
import { fetchLibrary } from "../../../infra/local/clickhouse/library.ts";
import { type ClickHouseServer, type Login, startClickHouse } from "../../../infra/local/clickhouse/server.ts";
import { startStore, storeDirectory } from "../../../infra/local/stores/queue-and-objects.ts";
import { BUCKET } from "../../../infra/local/stores/store-names.ts";
import { embedded } from "../../../infra/local/world.ts";
import { s3Objects } from "../../../lib/aws/aws-objects.ts";
import type { Answer, Client, Question } from "../../../lib/clickhouse/http/client.ts";
import type { Objects } from "../../../lib/ports/objects.ts";
import { clientAs } from "../../support/clickhouse-client.ts";

/** A ClickHouse over an object store of its own. */
export interface Served {
  readonly server: ClickHouseServer;
  readonly objects: Objects;
  /** As the platform is there. */
  readonly client: Client;
  /** A client of another user, to be closed by who opens it. */
  as(login: Login): Client;
  close(): Promise<void>;
}

export const serve = async (nodes = 1): Promise<Served> => {
  const folder = await mkdtemp(join(tmpdir(), "clickhouse-lane-"));
  const store = await startStore(storeDirectory(folder));
  const s3 = new S3Client({ ...embedded(store.endpoint), forcePathStyle: true });
  const directory = join(folder, "clickhouse");
  const server = await startClickHouse({ packages: await fetchLibrary(), directory, lake: lakeAddress(store.endpoint), nodes });
  const as = (login: Login): Client => clientAs(server.url, login);
  const client = as(server.platform);
  return {
    server,
    objects: s3Objects(s3, BUCKET),
    client,
    as,
    async close() {
      await client.close();
      await server.stop();
      await store.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

let asked = 0;

/** An id that no other query of this process has. */
export const newId = (): string => `lane-${asked++}`;

export const TIME_MS = 60_000;

/** A query and all its rows. */
export const askAll = async (
  client: Client,
  sql: string,
  more: Partial<Question> = {},
): Promise<Pick<Answer, "columns" | "summary"> & { readonly rows: readonly (readonly unknown[])[] }> => {
  const answer = await client.query({ sql, parameters: new Map(), queryId: newId(), timeMs: TIME_MS, ...more });
  const rows: (readonly unknown[])[] = [];
  for await (const batch of answer.rows) rows.push(...batch);
  return { ...answer, rows };
};
