import type { EmbeddedEngine, Engine } from "../engine/engine.ts";
import type { Config } from "../ports/config.ts";
import type { Counts } from "../ports/counts.ts";
import type { Objects } from "../ports/objects.ts";
import type { Clock, Ids, Log } from "../ports/system.ts";
import { openEngines } from "./engines.ts";
import { openClient } from "./http/client.ts";
import { openClickHouse } from "./open.ts";

export interface BothEnginesParts {
  readonly embedded: EmbeddedEngine;
  readonly objects: Objects;
  /** A directory for tables on their way to the object store. */
  readonly directory: string;
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly counts: Counts;
}

/** The embedded engine and the ClickHouse that the settings name, as one. No connection is opened before the first query that goes there. */
export const openBothEngines = (parts: BothEnginesParts): Engine => {
  const { embedded, config } = parts;
  const client = openClient({ url: config.clickhouseUrl, user: config.clickhouseUser, password: config.clickhousePassword });
  const clickhouse = openClickHouse({ ...parts, client, engine: embedded, cluster: config.clickhouseCluster });
  return openEngines({ ...parts, clickhouse, neededBytes: embedded.neededBytes });
};
