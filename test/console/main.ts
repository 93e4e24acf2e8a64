import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { startPlatform } from "../../infra/local/platform.ts";
import { openBrowser } from "../support/processes/browser.ts";
import { PICTURES } from "./pictures.ts";

const INTO = join(import.meta.dirname, "shots");

/** How long nothing may have come for a page to be taken for whole, milliseconds. */
const QUIET_MS = 700;

/** The requests that a page waits for, from here on. */
const waitedFor = (page: Page): ReadonlySet<Request> => {
  const open = new Set<Request>();
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return open;
};

/** Until nothing moves any more: the page has what it asked for, however long that took. */
const settle = async (page: Page, open: ReadonlySet<Request>): Promise<void> => {
  const moves = (): Promise<boolean> =>
    page.waitForEvent("requestfinished", { timeout: QUIET_MS }).then(
      () => true,
      () => false,
    );
  while ((await moves()) || open.size > 0);
  await page.locator("main h1").waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
};

// Writes a picture of every view in both themes, for people to look at.
const folder = await mkdtemp(join(tmpdir(), "shots-"));
const [platform, browser] = await Promise.all([
  startPlatform({ port: 0, host: "127.0.0.1", dataDir: folder, empty: false }),
  openBrowser(),
]);
try {
  await mkdir(INTO, { recursive: true });
  const { personal_api_key: key } = JSON.parse(await readFile(join(folder, "credentials.json"), "utf8"));
  for (const theme of ["light", "dark"] as const) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: theme, reducedMotion: "reduce" });
    for (const { name, address, signedIn = true, prepare } of PICTURES) {
      const page = await context.newPage();
      const open = waitedFor(page);
      if (signedIn) await page.addInitScript((value) => sessionStorage.setItem("analytics-key", value), key);
      await page.goto(`${platform.baseUrl}/${address}`);
      await settle(page, open);
      await prepare?.(page);
      await settle(page, open);
      const path = join(INTO, `${name}-${theme}.png`);
      await page.screenshot({ path });
      process.stdout.write(`${path}\n`);
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await platform.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);
