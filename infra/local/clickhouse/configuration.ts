import { createHash } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Where ClickHouse reads the lake: the address of the bucket, which ends in a slash. */
export interface LakeAddress {
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The user that the platform is to ClickHouse, and the one of whoever looks after it. */
export interface Passwords {
  readonly platform: string;
  readonly operator: string;
}

export const PLATFORM_USER = "platform";
export const OPERATOR_USER = "operator";
/** The named collection that has the lake's address. */
export const COLLECTION = "lake";
/** The cluster, where there are several nodes. */
export const CLUSTER = "laptop";

/** The folders of the bucket that the platform's user may read. */
const FOLDERS = ["events", "fresh", "state", "tables", "waiting"];

/** Nodes that share queries: what they know each other by, and their ports. */
export interface Cluster {
  readonly secret: string;
  readonly ports: readonly number[];
}

export interface Configuration {
  readonly lake: LakeAddress;
  readonly passwords: Passwords;
  readonly cluster?: Cluster;
}

/** Writes the configuration of a node into a directory, which is emptied, and returns the path of its file. */
export const writeConfiguration = async (directory: string, { lake, passwords, cluster }: Configuration): Promise<string> => {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const [file, users] = [join(directory, "config.xml"), join(directory, "users.xml")];
  await writeFile(file, serverXml(users, lake, cluster), { mode: 0o600 });
  await writeFile(users, usersXml(lake, passwords), { mode: 0o600 });
  return file;
};

/** Without the improvements a grant on S3 would be one to write, too. */
const serverXml = (users: string, { url, accessKeyId, secretAccessKey }: LakeAddress, cluster?: Cluster): string => `<clickhouse>
  <users_config>${text(users)}</users_config>
  <access_control_improvements>
    <enable_read_write_grants>true</enable_read_write_grants>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <http_handlers>
    <rule>
      <headers><Authorization>regex:Basic (${basic(PLATFORM_USER)}|${basic(OPERATOR_USER)}).*</Authorization></headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>
  <named_collections>
    <${COLLECTION}>
      <url overridable="false">${text(url)}</url>
      <access_key_id overridable="false">${text(accessKeyId)}</access_key_id>
      <secret_access_key overridable="false">${text(secretAccessKey)}</secret_access_key>
    </${COLLECTION}>
  </named_collections>${cluster === undefined ? "" : clusterXml(cluster)}
</clickhouse>
`;

const clusterXml = ({ secret, ports }: Cluster): string => `
  <remote_servers>
    <${CLUSTER}>
      <secret>${text(secret)}</secret>
      ${ports.map((port) => `<shard><replica><host>127.0.0.1</host><port>${port}</port></replica></shard>`).join("\n      ")}
    </${CLUSTER}>
  </remote_servers>`;

/** How the credentials of a user begin: these names end where a group of characters does. */
const basic = (user: string): string => Buffer.from(`${user}:`).toString("base64");

const usersXml = ({ url }: LakeAddress, { platform, operator }: Passwords): string => `<clickhouse>
  <profiles>
    <default/>
    <${PLATFORM_USER}><readonly>2</readonly></${PLATFORM_USER}>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password><networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      ${granted(PROGRAM_GRANTS)}
    </default>
    <${OPERATOR_USER}>
      ${identified(operator)}
      <profile>default</profile>
      <quota>default</quota>
      <access_management>1</access_management>
      <named_collection_control>1</named_collection_control>
    </${OPERATOR_USER}>
    <${PLATFORM_USER}>
      ${identified(platform)}
      <profile>${PLATFORM_USER}</profile>
      <quota>default</quota>
      ${granted(platformGrants(url))}
    </${PLATFORM_USER}>
  </users>
</clickhouse>
`;

const platformGrants = (url: string): readonly string[] => [
  "GRANT CREATE TEMPORARY TABLE ON *.*",
  `GRANT NAMED COLLECTION ON ${COLLECTION}`,
  "GRANT SELECT(query_id, user, query) ON system.processes",
  `GRANT READ ON S3('${pattern(url)}(${FOLDERS.join("|")})/.*')`,
];

/**
 * The user that the program itself is cannot have a password. It may do what the program does, and no request may come in its name: there
 * are functions that read a file without a right to.
 */
const PROGRAM_GRANTS = ["GRANT SYSTEM LISTEN ON *.*", "GRANT SELECT ON system.numbers"];

const granted = (grants: readonly string[]): string =>
  `<grants>${grants.map((grant) => `<query>${text(grant)}</query>`).join("")}</grants>`;

const identified = (password: string): string =>
  `<password_sha256_hex>${createHash("sha256").update(password).digest("hex")}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>`;

/** A regular expression that only this text matches. No backslash: it would have to be written once more at each level of quoting. */
const pattern = (literal: string): string => literal.replaceAll(/[^\w:/-]/g, (character) => `[${character}]`);

const text = (raw: string): string => raw.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
