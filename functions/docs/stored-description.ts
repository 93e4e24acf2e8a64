import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Describe, Hosts } from "./description.ts";

/** The file of a bundle that holds the description: made when the bundle is, so that the function carries no group but its own. */
export const DESCRIPTION_FILE = "openapi.json";

/** What stands in that file for the addresses, which only a request tells. */
export const UNKNOWN_HOSTS: Hosts = { baseUrl: "https://api.invalid", ingestUrl: "https://ingest.invalid" };

let text: Promise<string> | undefined;

/** The description from beside the bundle. */
export const stored: Describe = async ({ baseUrl, ingestUrl }) => {
  text ??= readFile(fileURLToPath(new URL(`./${DESCRIPTION_FILE}`, import.meta.url)), "utf8");
  return (await text)
    .replaceAll(JSON.stringify(UNKNOWN_HOSTS.baseUrl), () => JSON.stringify(baseUrl))
    .replaceAll(JSON.stringify(UNKNOWN_HOSTS.ingestUrl), () => JSON.stringify(ingestUrl));
};
