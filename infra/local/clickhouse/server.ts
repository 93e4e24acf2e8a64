import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { freePort } from "../stores/free-port.ts";
import { CLUSTER, type LakeAddress, OPERATOR_USER, PLATFORM_USER, writeConfiguration } from "./configuration.ts";
import { type ClickHouseNode, startNode } from "./node.ts";

export interface ServerOptions {
  /** The folder of packages that holds the library. */
  readonly packages: string;
  /** For its files; it is emptied. */
  readonly directory: string;
  readonly lake: LakeAddress;
  /** 0, and where it is left out, for any free one. */
  readonly port?: number;
  /** Processes that share queries, as the machines of a cluster do; one where it is left out. */
  readonly nodes?: number;
}

/** A user of the server, by name and password. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

export interface ClickHouseServer {
  readonly url: string;
  /** The name of the cluster; empty where there is one node. */
  readonly cluster: string;
  /** May read the lake's folders and nothing else. */
  readonly platform: Login;
  /** May do everything. */
  readonly operator: Login;
  /** The first answers at the address. */
  readonly nodes: readonly Pick<ClickHouseNode, "pid">[];
  stop(): Promise<void>;
}

/**
 * Starts ClickHouse with its HTTP interface, on this host alone, in a process that ends with ours. One that crashes is started anew
 * under the same address: whatever it was asked at that time has failed. Throws a `UserError` where it does not start.
 */
export const startClickHouse = async ({
  packages,
  directory,
  lake,
  port = 0,
  nodes: count = 1,
}: ServerOptions): Promise<ClickHouseServer> => {
  const passwords = { platform: secret(), operator: secret() };
  const cluster = count === 1 ? undefined : { secret: secret(), ports: await Promise.all(Array.from({ length: count }, freePort)) };
  const nodes: ClickHouseNode[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  try {
    for (let index = 0; index < count; index++) {
      const own = join(directory, `node-${index}`);
      const config = await writeConfiguration(own, { lake, passwords, ...(cluster && { cluster }) });
      const clusterPort = cluster?.ports[index];
      nodes.push(
        await startNode({
          packages,
          directory: own,
          config,
          port: index === 0 ? port : 0,
          ...(clusterPort !== undefined && { clusterPort }),
        }),
      );
    }
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return {
    url: `http://127.0.0.1:${nodes[0]?.port}`,
    cluster: cluster === undefined ? "" : CLUSTER,
    platform: { user: PLATFORM_USER, password: passwords.platform },
    operator: { user: OPERATOR_USER, password: passwords.operator },
    nodes,
    stop,
  };
};

const secret = (): string => randomBytes(24).toString("base64url");
