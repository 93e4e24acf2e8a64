import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startPlatform } from "../../infra/local/platform.ts";
import { openBrowser } from "../support/processes/browser.ts";
import { PICTURES } from "./pictures.ts";

const INTO = join(import.meta.dirname, "shots");

/** How long nothing may have come for a page to be taken for whole, milliseconds. */
const QUIET_MS = 700;

/** Until nothing moves any more: the page has what it asked for. */
const settle = async (page: Page): Promise<void> => {
  const moves = (): Promise<boolean> =>
    page.waitForEvent("requestfinished", { timeout: QUIET_MS }).then(
      () => true,
      () => false,
    );
  while (await moves());
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
      if (signedIn) await page.addInitScript((value) => sessionStorage.setItem("analytics-key", value), key);
      await page.goto(`${platform.baseUrl}/${address}`);
      await settle(page);
      await prepare?.(page);
      await settle(page);
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
