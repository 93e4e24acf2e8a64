import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type StaticFile, staticFile } from "../../lib/http/static-file.ts";

const NAME = "redoc.standalone.js";

/** Redoc as one module without imports. It lies in its package, or beside the bundle. */
export const SCRIPT_FILE = import.meta.url.endsWith(".ts")
  ? join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../lib/chunks", NAME)
  : fileURLToPath(new URL(`./${NAME}`, import.meta.url));

/** Its mark, the only thing that it would fetch from another host by itself. */
const MARK = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;

const MARK_AS_TEXT = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="36" height="14"><text y="11" font-family="sans-serif" font-size="11" fill="gray">Redoc</text></svg>',
)}`;

/** The script as it is served, under a name that changes with its content. */
export interface ReferenceScript {
  readonly name: string;
  readonly file: StaticFile;
}

let script: Promise<ReferenceScript> | undefined;

export const referenceScript = (): Promise<ReferenceScript> => (script ??= read());

const read = async (): Promise<ReferenceScript> => {
  const text = (await readFile(SCRIPT_FILE, "utf8")).replace(MARK, MARK_AS_TEXT);
  const digest = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return { name: `${basename(NAME, ".js")}.${digest}.js`, file: await staticFile(Buffer.from(text)) };
};
