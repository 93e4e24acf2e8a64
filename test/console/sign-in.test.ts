import { expect, it } from "vitest";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();

it("signs in with one click on a laptop, and forgets on leaving", async () => {
  const page = await console().open("", { key: null });
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign in as demo@example.com" }).click();
  await page.waitForURL("**/project/1/live");
  await page.locator("summary").click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Personal API key").waitFor();
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain("phx_");
});

it("says in the API's words that a key opens nothing", async () => {
  const page = await console().open("", { key: null, refusals: true });
  await page.getByLabel("Personal API key").fill("phx_nothing");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  expect(await page.getByRole("alert").textContent()).toMatch(/key/i);
});
