import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openBrowser, PATIENCE_MS } from "../support/processes/browser.ts";
import { accessibilityFaults } from "./console.ts";
import { openParts } from "./parts-page.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

it("every part shows all its states without a fault that axe finds, and says nothing to its developer", async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  context.setDefaultTimeout(PATIENCE_MS);
  const said: string[] = [];
  context.on("console", (message) => said.push(message.text()));
  context.on("weberror", (error) => said.push(String(error.error())));
  const page = await openParts(context);
  expect(await page.locator("main > section").count()).toBeGreaterThanOrEqual(4);
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(said).toEqual([]);
});
