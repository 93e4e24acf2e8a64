import { startClickHouse } from "../../clickhouse/clickhouse.ts";
import { digest, type TextKind } from "../columns.ts";
import { type Asked, type Catalogue, type Dialect, type Reader, whereSql } from "./reader.ts";

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

const DIALECT: Dialect = {
  name: (column) => `\`${column}\``,
  time: (micros) => `fromUnixTimestamp64Micro(toInt64(${micros}), 'UTC')`,
  text: quoted,
  startsWith: (column, value) => `startsWith(${column}, ${value})`,
};

const SHOWN: Readonly<Record<TextKind, (name: string) => string>> = {
  uuid: (name) => `replaceAll(toString(${name}), '-', '')`,
  time: (name) => `toString(toUnixTimestamp64Micro(${name}))`,
  double: (name) => `leftPad(lower(hex(reinterpretAsUInt64(${name}))), 16, '0')`,
  integer: (name) => `toString(${name})`,
  boolean: (name) => `if(${name}, 'true', 'false')`,
  text: (name) => name,
};

/** ClickHouse's library, with a database that is the catalogue. */
export const openClickHouse = async (chdb: string, { uri, token, namespace }: Catalogue): Promise<Reader> => {
  const attach = `CREATE DATABASE lake ENGINE = DataLakeCatalog(${quoted(`${uri}/v1`)}) SETTINGS catalog_type = 'rest', warehouse = 'lake', auth_header = ${quoted(`Authorization: Bearer ${token}`)}, vended_credentials = true`;
  const set = "SET allow_database_iceberg = 1, show_data_lake_catalogs_in_system_tables = 1, max_threads = 2";
  const clickHouse = await startClickHouse(chdb, { once: [set, attach], zone: () => [] });
  const ask = async (sql: string) => (await clickHouse.query({ sql, parameters: new Map() }, "UTC")).data;
  const texts = async ({ table, columns, filters, snapshot }: Asked): Promise<readonly string[]> => {
    const shown = columns.map(({ name, kind }) => SHOWN[kind](DIALECT.name(name))).join(", ");
    const at = snapshot === undefined ? "" : ` SETTINGS iceberg_snapshot_id = ${snapshot}`;
    const rows = await ask(`SELECT ${shown} FROM lake.\`${namespace}.${table}\` WHERE ${whereSql(filters, DIALECT)}${at}`);
    return rows.map((row) => JSON.stringify(row));
  };
  const [[version] = []] = await ask("SELECT version()");
  const tables = await ask("SELECT name FROM system.tables WHERE database = 'lake' ORDER BY name");
  return {
    version: `ClickHouse ${version} (library)`,
    tables: tables.map(([name]) => String(name).split(".").at(-1) ?? ""),
    texts,
    async read(asked) {
      const rows = await texts(asked);
      return { rows: rows.length, digest: digest(rows) };
    },
    close: async () => clickHouse.close(),
  };
};
