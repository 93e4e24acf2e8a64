import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, chromium as playwright } from "playwright-core";

/** The package that brings a Chromium along, packed; it unpacks it into the directory for temporary files, piece by piece. */
const PACKAGE = import.meta.resolve("@sparticuz/chromium");

/** Where it lies unpacked, a folder for each version. */
const unpackedFolder = async (): Promise<string> => {
  const { version } = JSON.parse(await readFile(new URL("../package.json", PACKAGE), "utf8"));
  return join(tmpdir(), `chromium-${version}`);
};

/** As a browser runs on a desk, without a screen: the package's own arguments are for a function, and switch off what protects pages. */
const ARGUMENTS = ["--headless=shell", "--no-sandbox", "--disable-gpu"];

/** How long a page is waited for: a net, as no verdict may hang on how fast the machine is. */
export const PATIENCE_MS = 120_000;

/** The browser's program. It appears whole: test files begin side by side, and one that unpacks it may be killed meanwhile. */
const browserProgram = async (): Promise<string> => {
  const folder = await unpackedFolder();
  if (!existsSync(folder)) {
    const own = await mkdtemp(`${folder}-`);
    const unpack = `await (await import(${JSON.stringify(PACKAGE)})).default.executablePath()`;
    await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], { env: { ...process.env, TMPDIR: own } });
    // Whoever was first has it there; nobody replaces a program that runs.
    await rename(own, folder).catch(() => rm(own, { recursive: true }));
  }
  return join(folder, "chromium");
};

/** A Chromium out of the packages alone; it is unpacked where it is first started. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await browserProgram(),
    args: ARGUMENTS,
    headless: true,
    // A machine whose language is "POSIX" gives pages a language that no browser on a desk has.
    env: { ...process.env, LANG: "en_US.UTF-8", LANGUAGE: "en_US", LC_ALL: "en_US.UTF-8" },
  });

export interface OpenedPage {
  /** What the page wrote on its console, and what the browser says of requests that failed, a line each. */
  readonly said: readonly string[];
  close(): Promise<void>;
}

/** Opens an address in a browser of its own. */
export const openPage = async (url: string): Promise<OpenedPage> => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(`Uncaught ${error.name}: ${error.message}`));
  await page.goto(url, { waitUntil: "commit" });
  return { said, close: () => browser.close() };
};
