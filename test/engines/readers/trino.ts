import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { digest, type TextColumn } from "../columns.ts";
import { ReaderFault } from "./python.ts";
import { type Asked, type Catalogue, type Dialect, type Reader, whereSql } from "./reader.ts";

/** What Trino runs on, and where. */
export interface TrinoPlace {
  readonly java: string;
  /** The unpacked server. */
  readonly server: string;
  /** A new folder for its configuration and data. */
  readonly folder: string;
}

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;

const DIALECT: Dialect = {
  name: (column) => `"${column}"`,
  time: (micros) => `TIMESTAMP '${stamp(micros)} UTC'`,
  text,
  startsWith: (column, value) => `starts_with(${column}, ${value})`,
};

/** `yyyy-mm-dd hh:mm:ss.ffffff`. */
const stamp = (micros: bigint): string => {
  const rest = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const seconds = new Date(Number((micros - rest) / 1_000n)).toISOString();
  return `${seconds.slice(0, -5).replace("T", " ")}.${String(rest).padStart(6, "0")}`;
};

const shown = ({ name, kind }: TextColumn): string => {
  const column = DIALECT.name(name);
  if (kind === "uuid") return `replace(CAST(${column} AS varchar), '-', '')`;
  if (kind === "time") return `CAST(CAST(${column} AT TIME ZONE 'UTC' AS timestamp(6)) AS varchar)`;
  if (kind === "double") return `lower(to_hex(to_ieee754_64(${column})))`;
  return kind === "text" ? column : `CAST(${column} AS varchar)`;
};

const microsText = (shownTime: string): string => {
  const [, year = "", rest = "", fraction = ""] = /^(-?\d+)-(.*)\.(\d{6})$/.exec(shownTime) ?? [];
  const at = new Date(`2000-${rest.replace(" ", "T")}Z`);
  at.setUTCFullYear(Number(year), Number(rest.slice(0, 2)) - 1, Number(rest.slice(3, 5)));
  return String(BigInt(at.getTime()) * 1_000n + BigInt(fraction));
};

const STARTS_WITHIN_MS = 600_000;

/** A server of one node with the catalogue attached. `endpoint` is where the object store answers. */
export const openTrino = async (place: TrinoPlace, catalogue: Catalogue, endpoint: string): Promise<Reader> => {
  const port = await freePort();
  await configure(place, catalogue, endpoint, port);
  const child = start(place);
  const origin = `http://127.0.0.1:${port}`;
  const ask = (sql: string) => statement(origin, sql);
  const texts = async ({ table, columns, filters, snapshot }: Asked): Promise<readonly string[]> => {
    const at = snapshot === undefined ? "" : ` FOR VERSION AS OF ${snapshot}`;
    const from = `"${catalogue.namespace}"."${table}"${at}`;
    const rows = await ask(`SELECT ${columns.map(shown).join(", ")} FROM ${from} WHERE ${whereSql(filters, DIALECT)}`);
    return rows.map((row) =>
      JSON.stringify(row.map((value, at) => (columns[at]?.kind === "time" && value !== null ? microsText(String(value)) : value))),
    );
  };
  const close = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
  };
  try {
    await started(child, origin);
    const [[version] = []] = await ask("SELECT version()");
    const tables = await ask(`SHOW TABLES FROM "${catalogue.namespace}"`);
    return {
      version: `Trino ${version}`,
      tables: tables.map(([name]) => String(name)).sort(),
      texts,
      async read(asked) {
        const rows = await texts(asked);
        return { rows: rows.length, digest: digest(rows) };
      },
      close,
    };
  } catch (fault) {
    await close();
    throw fault;
  }
};

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

const configure = async ({ server, folder }: TrinoPlace, { uri, token }: Catalogue, endpoint: string, port: number) => {
  const plugins = join(folder, "plugin");
  await mkdir(join(folder, "etc", "catalog"), { recursive: true });
  await mkdir(plugins);
  // Of some fifty plugins the one that it is about: it starts in a third of the time.
  await symlink(join(server, "plugin", "iceberg"), join(plugins, "iceberg"));
  await properties(join(folder, "etc", "config.properties"), {
    coordinator: "true",
    "node-scheduler.include-coordinator": "true",
    "http-server.http.port": String(port),
    "discovery.uri": `http://127.0.0.1:${port}`,
    "plugin.dir": plugins,
    "catalog.config-dir": join(folder, "etc", "catalog"),
    "query.max-memory-per-node": "400MB",
  });
  await properties(join(folder, "etc", "catalog", "lake.properties"), {
    "connector.name": "iceberg",
    "iceberg.catalog.type": "rest",
    "iceberg.rest-catalog.uri": uri,
    "iceberg.rest-catalog.security": "OAUTH2",
    "iceberg.rest-catalog.oauth2.token": token,
    "iceberg.rest-catalog.vended-credentials-enabled": "true",
    "fs.native-s3.enabled": "true",
    "s3.endpoint": endpoint,
    "s3.region": "us-east-1",
    "s3.path-style-access": "true",
  });
};

const properties = (file: string, all: Readonly<Record<string, string>>): Promise<void> =>
  writeFile(
    file,
    Object.entries(all)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );

const start = ({ java, server, folder }: TrinoPlace): ChildProcess =>
  spawn(
    java,
    [
      ...["-Xmx1500m", "-Dfile.encoding=UTF-8", "-Djdk.attach.allowAttachSelf=true"],
      ...["--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"],
      ...["-cp", join(server, "lib", "*"), `-Dconfig=${join(folder, "etc", "config.properties")}`],
      ...["-Dnode.id=one", "-Dnode.environment=test", `-Dnode.data-dir=${folder}`, "io.trino.server.TrinoServer"],
    ],
    { cwd: folder, stdio: "ignore" },
  );

const started = async (child: ChildProcess, origin: string): Promise<void> => {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  for (;;) {
    if (child.exitCode !== null) throw new ReaderFault(`Trino ended with ${child.exitCode}`, "");
    if (await statement(origin, "SELECT 1").catch(() => undefined)) return;
    if (performance.now() > deadline) throw new ReaderFault("Trino has not started", "");
    await pause(250);
  }
};

interface Page {
  readonly nextUri?: string;
  readonly data?: readonly (readonly unknown[])[];
  readonly error?: { readonly message: string; readonly failureInfo?: Failure };
}

interface Failure {
  readonly type: string;
  readonly message?: string;
  readonly cause?: Failure;
}

/** What is behind a failure, down to the first cause. */
const causes = (failure: Failure | undefined): string =>
  failure === undefined ? "" : `${failure.type}: ${failure.message ?? ""}\n${causes(failure.cause)}`;

const HEADERS = { "x-trino-user": "reader", "x-trino-catalog": "lake" };

/** All rows of a statement, page by page. */
const statement = async (origin: string, sql: string): Promise<readonly (readonly unknown[])[]> => {
  const rows: (readonly unknown[])[] = [];
  let reply = await fetch(`${origin}/v1/statement`, { method: "POST", headers: HEADERS, body: sql });
  for (;;) {
    if (!reply.ok) throw new ReaderFault(`Trino answered ${reply.status}`, await reply.text());
    const page = (await reply.json()) as Page;
    if (page.error) throw new ReaderFault(page.error.message, causes(page.error.failureInfo));
    for (const row of page.data ?? []) rows.push(row);
    if (page.nextUri === undefined) return rows;
    reply = await fetch(page.nextUri, { headers: HEADERS });
  }
};
