import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { aTenant } from "../support/processes/platform.ts";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();

const ask = (query: string): string => `project/1/ask?q=${encodeURIComponent(query)}`;

const editor = (page: Page) => page.getByRole("textbox", { name: "Query" });

const write = async (page: Page, query: string): Promise<void> => {
  await editor(page).click();
  await page.keyboard.press("Control+a");
  if (query === "") await page.keyboard.press("Delete");
  else await page.keyboard.type(query);
};

it("asks, and shows a line for a time and a number, with the exact numbers by keyboard", async () => {
  const page = await console().open("project/1/ask");
  await editor(page).click();
  await page.keyboard.press("Control+Enter");
  const plot = page.getByRole("img", { name: "Answer" });
  await plot.locator("canvas").waitFor();
  expect(await page.getByRole("status").textContent()).toMatch(/^\d+ rows in [\d\u202f.]+ ms/);
  expect(page.url()).toContain("q=SELECT");
  await plot.focus();
  await page.keyboard.press("Home");
  expect(await page.locator(".plot-legend").textContent()).toMatch(/^\d{4}-\d\d-\d\d.*events [\d\u202f]+$/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("sorts a table by a column, and shows an answer as somebody wishes", async () => {
  const page = await console().open(ask("SELECT number AS n, toString(100 - number) AS t FROM numbers(12)"));
  await page.getByLabel("Show as").selectOption("Table");
  const first = page.locator("tbody tr").first();
  await page.getByRole("button", { name: "n", exact: true }).click();
  expect(await page.getByRole("columnheader", { name: "n" }).getAttribute("aria-sort")).toBe("descending");
  expect(await first.textContent()).toBe("1189");
  await page.getByRole("button", { name: "t", exact: true }).click();
  expect(await first.textContent()).toBe("0100");
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("shows whole numbers to their last digit, in a table, as one number and in a file", async () => {
  const page = await console().open(ask("SELECT toInt64(9007199254740993) AS id, 18446744073709551615 AS most"));
  const row = page.locator("tbody tr").first();
  await row.waitFor();
  expect(await row.getByRole("cell").allTextContents()).toEqual(["9007199254740993", "18446744073709551615"]);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSV" }).click();
  expect(await readFile(await (await download).path(), "utf8")).toBe("id,most\n9007199254740993,18446744073709551615\n");
  await write(page, "SELECT toInt64(9007199254740993) AS id");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".big-number", { hasText: /^9\u202f007\u202f199\u202f254\u202f740\u202f993 id$/ }).waitFor();
});

it("underlines the place of a fault, in the API's sentence", async () => {
  const page = await console().open(ask("SELECT count()\nFROM evnts"), { refusals: true });
  const sentence = await page.getByRole("alert").textContent();
  expect(sentence).toMatch(/Unknown table `evnts`.*\(line 2, column 6\)$/);
  expect(await page.locator(".cm-lintRange-error").textContent()).toBe("evnts");
  expect(await accessibilityFaults(page)).toEqual([]);
  await write(page, "SELECT count() FROM events");
  expect(await page.locator(".cm-lintRange-error").count()).toBe(0);
});

it.each([
  ["trends", { kind: "TrendsQuery", series: { kind: "EventsNode" } }],
  ["trends", { kind: "TrendsQuery", series: [null] }],
  ["retention", { kind: "RetentionQuery", retentionFilter: null }],
])("says that an address of %s has no query: %j", async (kind, query) => {
  const page = await console().open(`project/1/ask?kind=${kind}&q=${encodeURIComponent(JSON.stringify(query))}`);
  await page.getByText("This is no query").waitFor();
});

it("ends a query that runs", async () => {
  const page = await console().open("project/1/ask");
  await write(page, "SELECT 1");
  await page.route("**/query", () => undefined);
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("button", { name: "Cancel" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Run" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("suggests events, properties and functions, and writes names of the list", async () => {
  const page = await console().open("project/1/ask");
  await write(page, "SELECT uniqEx");
  await page
    .getByRole("option", { name: /uniqExact\b/ })
    .first()
    .click();
  await page.keyboard.type("properties.$brow");
  await page.getByRole("option", { name: /\$browser/ }).waitFor();
  await page.keyboard.press("Tab");
  expect(await editor(page).textContent()).toBe("SELECT uniqExact(properties.$browser)");
  await page.keyboard.press("End");
  await page.keyboard.type(" FROM events WHERE event = '$pagev");
  await page.getByRole("option", { name: /\$pageview/ }).waitFor();
  await page.keyboard.press("Escape");
  await write(page, "");
  await page.getByRole("button", { name: /^\$pageview/ }).click();
  expect(await editor(page).textContent()).toBe("'$pageview'");
});

it("shows the most frequent values of a property, and writes one into the query", async () => {
  const page = await console().open("project/1/ask");
  await write(page, "");
  await page.getByLabel("Find a name").fill("$browser");
  await page.getByText("Values of $browser").first().click();
  await page.getByRole("button", { name: /^Firefox [\d\u202f]+$/ }).click();
  expect(await editor(page).textContent()).toBe("properties.$browser = 'Firefox'");
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("runs a trend by its keys, too", async () => {
  const page = await console().open("project/1/ask?kind=trends");
  await page.getByLabel("Interval").focus();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("img", { name: "Answer" }).waitFor();
});

it("keeps what was run on this device until somebody signs out", async () => {
  const page = await console().open(ask("SELECT 41 AS first"));
  await page.getByText("1 row in").waitFor();
  await page.getByRole("link", { name: "Trends" }).click();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("img", { name: "Answer" }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "History" }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: /SELECT 41 AS first/ }).click();
  await page.getByText("SELECT 41").first().waitFor();
  await page.locator("summary", { hasText: "Demo" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Personal API key").waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("SELECT 41");
});

it("asks a retention with its triangle", async () => {
  const page = await console().open("project/1/ask?kind=retention");
  await page.getByLabel("Number of periods").fill("4");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("columnheader", { name: "Day 3" }).waitFor();
  expect(await page.locator(".heat").count()).toBe(6);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("has a field for each variable, and saves the query as an endpoint that can be run", async () => {
  const { open, platform, key } = console();
  const page = await open("project/1/ask", { refusals: true });
  await write(page, "SELECT count() AS times FROM events WHERE event = {variables.name}");
  await page.getByLabel("name", { exact: true }).fill("$pageview");
  await page.getByRole("button", { name: "Run" }).click();
  await page.locator(".big-number").waitFor();
  await page.getByRole("button", { name: "Save as endpoint" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("no name");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/A name begins with a letter/).waitFor();
  await dialog.getByLabel("Name", { exact: true }).fill("times-of-event");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/project/1/endpoints/times-of-event/use");
  const run = await apiClient(platform.baseUrl, key).post("/api/projects/1/endpoints/times-of-event/run/", { variables: { name: "none" } });
  expect(run).toMatchObject({ status: 200, body: { results: [[0]] } });
});

it("offers nothing to save to a key that may not", async () => {
  const { open, keyWith } = console();
  const page = await open(ask("SELECT 1 AS one"), { key: await keyWith("query:read") });
  await page.getByText("1 row in").waitFor();
  expect(await page.getByRole("button", { name: "Save as endpoint" }).count()).toBe(0);
});

it("lists the names of most events first, and finds those that it does not list by a part of their name", async () => {
  const { open, platform } = console();
  const tenant = await aTenant(platform.world);
  const rare = Array.from({ length: 1_010 }, (_, at) => ({ event: `rare ${String(at).padStart(4, "0")}`, distinct_id: "ana" }));
  const batch = [...rare, { event: "zest", distinct_id: "ana" }, { event: "zest", distinct_id: "ben" }];
  const body = JSON.stringify({ api_key: tenant.projectToken, batch });
  await fetch(`${platform.ingestUrl}/batch/`, { method: "POST", headers: { "content-type": "application/json" }, body });
  const count = { query: { kind: "HogQLQuery", query: "SELECT count() FROM events" } };
  const stored = apiClient(platform.baseUrl, tenant.personalKey);
  await expect
    .poll(async () => Object(await stored.post(`/api/projects/${tenant.projectId}/query/`, count)).body.results, { timeout: 30_000 })
    .toEqual([[batch.length]]);

  const page = await open(`project/${tenant.projectId}/ask`, { key: tenant.personalKey });
  await page.getByText("Events more than 1\u202f000").waitFor();
  await page.getByText("The first 200 of more than 1\u202f000").waitFor();
  await page.getByRole("button", { name: /^zest 2 in 30 days/ }).waitFor();
  await page.getByLabel("Find a name").fill("rare 1009");
  await page.getByRole("button", { name: /^rare 1009 1 in 30 days/ }).waitFor();
  await page.getByRole("link", { name: "Trends" }).click();
  await page.getByLabel("Event of series 1").selectOption("zest");
});
