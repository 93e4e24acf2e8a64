import type { World } from "../../lib/world/world.ts";
import { type Credentials, writeCredentials } from "./credentials.ts";

/** Writes `credentials.json`; without `empty` it makes the demo organization exist first. */
export const provision = async (
  dataDir: string,
  _world: World,
  { origin }: { readonly origin: string; readonly empty: boolean },
): Promise<Credentials> => {
  const credentials: Credentials = { base_url: origin, ingest_url: origin };
  writeCredentials(dataDir, credentials);
  return credentials;
};
