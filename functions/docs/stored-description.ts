import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Describe } from "./description.ts";
import { hostedText } from "./hosts.ts";

/** The file of a bundle that holds the description: made when the bundle is, so that the function carries no group but its own. */
export const DESCRIPTION_FILE = "openapi.json";

const underHosts = hostedText();
let text: Promise<string> | undefined;

/** The description from beside the bundle. */
export const stored: Describe = async (hosts) => {
  text ??= readFile(fileURLToPath(new URL(`./${DESCRIPTION_FILE}`, import.meta.url)), "utf8");
  return underHosts(await text, hosts);
};
