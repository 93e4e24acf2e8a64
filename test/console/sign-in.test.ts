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

it("goes on in every tab where one of them has the key of the device rolled, and ends in all where one signs out", async () => {
  const { open, keyWith, platform } = console();
  const page = await open("", { key: null });
  await page.getByLabel("Personal API key").fill(await keyWith("*"));
  await page.getByLabel("Remember it on this device").check();
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/project/1/live");
  const other = await page.context().newPage();
  await other.goto(`${platform.baseUrl}/project/1/live`);
  await other.getByRole("row").nth(1).waitFor();

  await page.goto(`${platform.baseUrl}/project/1/health/keys`);
  const mine = page.getByRole("row").filter({ hasText: "of this session" });
  await mine.getByRole("button", { name: /^Roll/ }).click();
  const kept = () => page.evaluate(() => localStorage.getItem("analytics-key"));
  const before = await kept();
  await mine.getByRole("button", { name: /^Roll/ }).click();
  await expect.poll(kept).not.toBe(before);
  const asked = await other.waitForResponse(
    async (response) => (await response.request().headerValue("authorization")) === `Bearer ${await kept()}`,
  );
  expect(asked.status()).toBe(200);
  await other.getByRole("row").nth(1).waitFor();

  await other.locator("summary").click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Personal API key").waitFor();
  expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain("phx_");
});

it("says in the API's words that a key opens nothing", async () => {
  const page = await console().open("", { key: null, refusals: true });
  await page.getByLabel("Personal API key").fill("phx_nothing");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  expect(await page.getByRole("alert").textContent()).toMatch(/key/i);
});
