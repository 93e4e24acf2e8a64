import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
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

/** What a deployed ClickHouse is set up with: a laptop's has the same rights. */
const DEPLOYED = join(import.meta.dirname, "../../clickhouse");

/** Memory of one query of the platform: the machine does other things, too. */
const QUERY_BYTES = 4_000_000_000;

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
  const improvements = inner(await readFile(join(DEPLOYED, "config.xml"), "utf8"));
  const grants = platformGrants(await readFile(join(DEPLOYED, "user.sql"), "utf8"), lake);
  await writeFile(file, serverXml({ users, improvements, lake, ...(cluster && { cluster }) }), { mode: 0o600 });
  await writeFile(users, usersXml(grants, passwords), { mode: 0o600 });
  return file;
};

/** What a configuration says. */
const inner = (xml: string): string => /<clickhouse>\s*([\s\S]*?)\s*<\/clickhouse>/.exec(xml)?.[1] ?? "";

interface ServerParts {
  /** The path of the users' configuration. */
  readonly users: string;
  readonly improvements: string;
  readonly lake: LakeAddress;
  readonly cluster?: Cluster;
}

const serverXml = ({ users, improvements, lake: { url, accessKeyId, secretAccessKey }, cluster }: ServerParts): string => `<clickhouse>
  <users_config>${text(users)}</users_config>
  ${improvements}
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

const usersXml = (grants: readonly string[], { platform, operator }: Passwords): string => `<clickhouse>
  <profiles>
    <default/>
    <program>
      <max_sessions_for_user>1</max_sessions_for_user>
      <constraints><max_sessions_for_user><readonly/></max_sessions_for_user></constraints>
    </program>
    <${PLATFORM_USER}>
      <readonly>2</readonly>
      <max_memory_usage>${QUERY_BYTES}</max_memory_usage>
    </${PLATFORM_USER}>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password><networks><ip>127.0.0.1</ip></networks>
      <profile>program</profile>
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
      ${granted(grants)}
    </${PLATFORM_USER}>
  </users>
</clickhouse>
`;

/** The address of the lake in `user.sql`, as its regular expression has it. */
const DEPLOYED_ADDRESS = "https://BUCKET[.]s3[.]REGION[.]amazonaws[.]com/";

const platformGrants = (sql: string, { url }: LakeAddress): readonly string[] =>
  [...sql.matchAll(/^(GRANT .*) TO platform;$/gm)].map(([, grant = ""]) => grant.replace(DEPLOYED_ADDRESS, () => pattern(url)));

/**
 * The user that the program itself is cannot have a password. It may do what the program does, and has one session, which the program
 * keeps: there are functions that read a file without a right to, so no request may come in its name.
 */
const PROGRAM_GRANTS = ["GRANT SYSTEM LISTEN ON *.*", "GRANT SELECT ON system.numbers"];

const granted = (grants: readonly string[]): string =>
  `<grants>${grants.map((grant) => `<query>${text(grant)}</query>`).join("")}</grants>`;

const identified = (password: string): string =>
  `<password_sha256_hex>${createHash("sha256").update(password).digest("hex")}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>`;

/** A regular expression that only this text matches. No backslash: it would have to be written once more at each level of quoting. */
const pattern = (literal: string): string => literal.replaceAll(/[^\w:/-]/g, (character) => `[${character}]`);

const text = (raw: string): string => raw.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
