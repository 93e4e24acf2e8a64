import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { aTenant } from "../support/processes/platform.ts";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();
const run = promisify(execFile);

const capture = async (token: string, events: readonly object[]): Promise<void> => {
  const sent = events.map((event) => ({ distinct_id: "ana", ...event }));
  const response = await fetch(`${console().platform.ingestUrl}/batch/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ api_key: token, batch: sent }),
  });
  expect(response.status).toBe(200);
};

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });

it("shows how the first event is sent, turns the light green when it comes, and opens, filters and goes back", async () => {
  const tenant = await aTenant(console().platform.world);
  const page = await console().open(`project/${tenant.projectId}/live`, { key: tenant.personalKey });
  await page.getByText("Waiting for the first event").waitFor();
  for (const way of ["Node", "Python", "HTML", "curl"]) {
    await page.getByRole("link", { name: way, exact: true }).click();
    const code = page.locator("figure.code", { hasText: tenant.projectToken });
    expect(await code.textContent()).toContain(console().platform.ingestUrl);
  }
  expect(await accessibilityFaults(page)).toEqual([]);

  await run("sh", ["-c", (await page.locator("figure.code code").textContent()) ?? ""]);
  await page.getByText("The first event arrived").waitFor();
  await rowOf(page, "signed up").getByRole("link").click();
  const opened = page.getByRole("complementary");
  await opened
    .locator(".tree-line")
    .filter({ hasText: /^plan\s+team/ })
    .waitFor();
  await page.waitForURL(/[?&]open=[0-9a-f-]{36}/);
  expect(await accessibilityFaults(page)).toEqual([]);

  await opened.getByRole("link", { name: "Filter by this plan" }).click();
  await page.waitForURL(/property=plan&value=team/);
  await page.getByText("plan is team").first().waitFor();
  await rowOf(page, "signed up").waitFor();
  await page.goBack();
  await opened.waitFor();
  expect(page.url()).not.toContain("property=");
});

it("says that nothing matched, and clears the filters", async () => {
  const tenant = await aTenant(console().platform.world);
  await capture(tenant.projectToken, [{ event: "came" }]);
  const page = await console().open(`project/${tenant.projectId}/live?event=never`, { key: tenant.personalKey });
  await page.getByRole("heading", { name: "Nothing matched in the last 30 days." }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Clear the filters" }).click();
  await rowOf(page, "came").waitFor();
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByLabel("Distinct id").fill("somebody else");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.getByText("distinct_id is somebody else").first().waitFor();
  await page.getByRole("link", { name: "Remove distinct_id is somebody else" }).click();
  await rowOf(page, "came").waitFor();
});

it("shows the whole moment of an event of another day", async () => {
  const tenant = await aTenant(console().platform.world);
  await capture(tenant.projectToken, [{ event: "came", timestamp: new Date(Date.now() - 86_400_000).toISOString() }]);
  const page = await console().open(`project/${tenant.projectId}/live`, { key: tenant.personalKey });
  const moment = rowOf(page, "came").getByRole("cell").first();
  await moment.waitFor();
  expect(await moment.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

it("says the day of an event once that day is over", async () => {
  const tenant = await aTenant(console().platform.world);
  await capture(tenant.projectToken, [{ event: "before" }]);
  const page = await console().open(`project/${tenant.projectId}/live`, { key: tenant.personalKey });
  const today = /^\d\d:\d\d:\d\d$/;
  const time = (event: string) => rowOf(page, event).getByRole("cell").first();
  await time("before").getByText(today).waitFor();
  await page.clock.setFixedTime(Date.now() + 86_400_000);
  await capture(tenant.projectToken, [{ event: "after" }]);
  await time("after").waitFor();
  expect(await time("before").textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});

it("stands still while it is paused, says how many events wait, and shows them when it goes on", async () => {
  const tenant = await aTenant(console().platform.world);
  await capture(tenant.projectToken, [{ event: "before" }]);
  const page = await console().open(`project/${tenant.projectId}/live`, { key: tenant.personalKey });
  await rowOf(page, "before").waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("Space");
  await capture(tenant.projectToken, [{ event: "meanwhile" }, { event: "meanwhile" }]);
  await page.getByText("Paused. 2 events wait.").waitFor();
  expect(await rowOf(page, "meanwhile").count()).toBe(0);
  await page.getByRole("button", { name: "Go on" }).click();
  await rowOf(page, "meanwhile").first().waitFor();
  expect(await rowOf(page, "meanwhile").count()).toBe(2);

  await rowOf(page, "before").hover();
  await capture(tenant.projectToken, [{ event: "under the hand" }]);
  await page.getByText("Paused. 1 event waits.").waitFor();
  await page.locator("h1").hover();
  await rowOf(page, "under the hand").waitFor();
});

it("shows a call that a shell runs as it is, whatever is filtered by", async () => {
  const tenant = await aTenant(console().platform.world);
  const event = "it's 'so' $(id) `id` %27";
  await capture(tenant.projectToken, [{ event }]);
  const page = await console().open(`project/${tenant.projectId}/live?event=${encodeURIComponent(event)}`, { key: tenant.personalKey });
  await rowOf(page, event).waitFor();
  await page.getByRole("button", { name: "curl of this view" }).click();
  const shown = (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
  expect(shown).not.toContain(tenant.personalKey);
  const { stdout } = await run("sh", ["-c", shown], { env: { ...process.env, KEY: tenant.personalKey } });
  expect(JSON.parse(stdout)).toMatchObject({ results: [{ event }] });
});

it("lets a text that turns the direction of writing turn nothing but itself", async () => {
  const tenant = await aTenant(console().platform.world);
  await capture(tenant.projectToken, [{ event: "turned", properties: { "\u202Enalp": "\u202Emaet" } }]);
  const page = await console().open(`project/${tenant.projectId}/live`, { key: tenant.personalKey });
  await rowOf(page, "turned").getByRole("link").click();
  const line = page.locator(".tree-line", { hasText: "nalp" });
  const left = async (part: string): Promise<number> => (await line.locator(part).boundingBox())?.x ?? Number.NaN;
  expect(await left(".tree-name")).toBeLessThan(await left(".tree-value"));
  expect(await left(".tree-value")).toBeLessThan(await left(".tree-type"));
});

it("opens an event from its address alone, and says so where there is none", async () => {
  const tenant = await aTenant(console().platform.world);
  const uuid = "0193f9d5-8f0e-7c5e-b7b4-6f6f5ad0b1c2";
  await capture(tenant.projectToken, [{ event: "linked", uuid, properties: { plan: "team" } }, { event: "other" }]);
  const page = await console().open(`project/${tenant.projectId}/live?event=other&open=${uuid}`, { key: tenant.personalKey });
  await rowOf(page, "other").waitFor();
  await page.getByRole("complementary").getByRole("heading", { name: "linked" }).waitFor();
  const nobody = "0193f9d5-8f0e-7c5e-b7b4-000000000000";
  await page.goto(`${console().platform.baseUrl}/project/${tenant.projectId}/live?open=${nobody}`);
  await page.getByText("The last 30 days have no event with this id.").waitFor();
});

it("shows a project its own events alone", async () => {
  const { world } = console().platform;
  const [mine, theirs] = [await aTenant(world), await aTenant(world)];
  await capture(theirs.projectToken, [{ event: "not yours" }]);
  await capture(mine.projectToken, [{ event: "yours" }]);
  const page = await console().open(`project/${mine.projectId}/live`, { key: mine.personalKey });
  await rowOf(page, "yours").waitFor();
  expect(await page.getByRole("row").count()).toBe(2);
  await page.goto(`${console().platform.baseUrl}/project/${theirs.projectId}/live`);
  await page.getByText(`This key does not reach project ${theirs.projectId}.`).waitFor();
});

it("keeps what there was, dimmed, while nothing answers, and says when it goes on after a refusal", async () => {
  const page = await console().open("project/1/live", { refusals: true });
  await page.getByRole("row").nth(1).waitFor();
  await page.route("**/live_events?**", (route) =>
    route.fulfill({
      status: 429,
      headers: { "retry-after": "3" },
      json: { type: "throttled_error", code: "throttled", detail: "Request was throttled.", attr: null },
    }),
  );
  await page.getByText("Request was throttled. It goes on by itself in 3 s.").waitFor();
  expect(await page.locator(".live.dimmed").getByRole("row").count()).toBeGreaterThan(1);
  await page.unroute("**/live_events?**");
  await page.locator(".live:not(.dimmed)").waitFor();
  await page.context().setOffline(true);
  await page.getByText(/The platform does not answer.* It is asked again by itself\./).waitFor();
  await page.locator(".live.dimmed").waitFor();
  await page.context().setOffline(false);
  await page.locator(".live:not(.dimmed)").waitFor();
  console().forgive(/ERR_INTERNET_DISCONNECTED/);
});

it("shows, copies and filters by a number of eighteen digits as it was sent", async () => {
  const tenant = await aTenant(console().platform.world);
  const event = { event: "ordered", distinct_id: "ana", properties: { order: 1, deep: { of: [2] } } };
  const body = JSON.stringify({ api_key: tenant.projectToken, batch: [event] });
  await fetch(`${console().platform.ingestUrl}/batch/`, {
    method: "POST",
    body: body.replace('"order":1', '"order":123456789012345678').replace("[2]", "[-876543210987654321]"),
  });
  const page = await console().open(`project/${tenant.projectId}/live`, {
    key: tenant.personalKey,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await rowOf(page, "order 123456789012345678").getByRole("link").click();
  const opened = page.getByRole("complementary");
  await opened
    .locator(".tree-line")
    .filter({ hasText: /^order 123456789012345678 number/ })
    .waitFor();
  await opened.getByRole("button", { name: "Copy all" }).click();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  expect(copied.match(/-?\d{18}/g)).toEqual(["123456789012345678", "-876543210987654321"]);
  await opened.getByRole("link", { name: "Filter by this order" }).click();
  await page.waitForURL(/property=order&value=123456789012345678$/);
  await page.getByText("order is 123456789012345678").first().waitFor();
  await rowOf(page, "ordered").waitFor();

  // It is asked for by itself where it is not among the rows.
  const [id] = (await page.locator("tbody a").first().getAttribute("href"))?.match(/open=[^&]+/) ?? [];
  await page.goto(`${console().platform.baseUrl}/project/${tenant.projectId}/live?event=other&${id}`);
  await opened
    .locator(".tree-line")
    .filter({ hasText: /^order 123456789012345678 number/ })
    .waitFor();
});
