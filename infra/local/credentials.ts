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

/** Replaces the file in one step: a reader finds the old one or the new one, and nobody but its owner finds any. */
export const writeCredentials = (dataDir: string, credentials: Credentials): void => {
  const file = credentialsFile(dataDir);
  writeFileSync(`${file}.new`, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
};

/** The credentials that an earlier start wrote, if they can be read. */
export const readCredentials = (dataDir: string): Credentials | undefined => {
  try {
    return Credentials.parse(JSON.parse(readFileSync(credentialsFile(dataDir), "utf8")));
  } catch {
    return undefined;
  }
};
