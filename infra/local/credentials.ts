import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

/** The content of `credentials.json` in the data directory: the two addresses, and the demo's keys where there is a demo. */
export const Credentials = z.object({
  base_url: z.string(),
  ingest_url: z.string(),
  organization_id: z.string().optional(),
  project_id: z.number().optional(),
  project_token: z.string().optional(),
  project_secret_api_key: z.string().optional(),
  personal_api_key: z.string().optional(),
  user: z.object({ id: z.number(), uuid: z.string(), email: z.string(), distinct_id: z.string() }).optional(),
});
export type Credentials = z.output<typeof Credentials>;

export const credentialsFile = (dataDir: string): string => join(dataDir, "credentials.json");

const asideFile = (dataDir: string): string => `${credentialsFile(dataDir)}.new`;

/**
 * Keeps credentials aside, where nobody but their owner finds them: a key's value is shown only once, and a start may break off before there
 * is something to see with it.
 */
export const keepCredentials = (dataDir: string, credentials: Credentials): void =>
  writeFileSync(asideFile(dataDir), `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });

/** Replaces the file in one step: a reader finds the old one or the new one. */
export const writeCredentials = (dataDir: string, credentials: Credentials): void => {
  keepCredentials(dataDir, credentials);
  renameSync(asideFile(dataDir), credentialsFile(dataDir));
};

const read = (file: string): Credentials | undefined => {
  try {
    return Credentials.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
};

/** The credentials that an earlier start wrote, if they can be read. */
export const readCredentials = (dataDir: string): Credentials | undefined => read(credentialsFile(dataDir));

/** Those that an earlier start kept aside when it broke off. */
export const readKeptCredentials = (dataDir: string): Credentials | undefined => read(asideFile(dataDir));
