import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();

const LIST = "project/1/endpoints";

/** A call of the API as the demo's owner. */
const api = async (method: string, path: string, body?: unknown): Promise<Endpoint> => {
  const { platform, key } = console();
  const response = await fetch(`${platform.baseUrl}/api/projects/1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Endpoint;
};

/** As much of an endpoint as these tests read. */
interface Endpoint {
  readonly ui_url: string;
  readonly query: { readonly query: string };
  readonly is_materialized: boolean;
  readonly data_freshness_seconds: number;
  readonly engine: string;
}

const WHICH = "5f0b9a0e-1c7b-4a8b-9c0e-2f6d3f1f0a12";

/** SQL with a variable `which` and its default. */
const sql = (query: string, which: string | null) => ({
  kind: "HogQLQuery",
  query,
  variables: { [WHICH]: { variableId: WHICH, code_name: "which", value: which } },
});

const save = (name: string, query: string, which: string | null = "signup") =>
  api("POST", "endpoints/", { name, query: sql(query, which) });

/** Writes in the editor in the place of what stands there. */
const write = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("textbox", { name: "Query", exact: true }).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
};

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

it("lists the endpoints, finds one by a part of its name, and opens it", async () => {
  const page = await console().open(LIST);
  const rows = page.getByRole("group", { name: "Endpoints" }).getByRole("link");
  await rows.first().waitFor();
  expect(await rows.allTextContents()).toEqual(["events-by-day", "pageviews-by-browser", "weekly-retention"]);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Name, description or tag").fill("RETENT");
  await expect.poll(() => rows.allTextContents()).toEqual(["weekly-retention"]);
  expect(page.url()).toMatch(/\?q=RETENT$/);
  await rows.first().click();
  await heading(page, "weekly-retention").waitFor();
  await page.goBack();
  await expect.poll(() => rows.allTextContents()).toEqual(["weekly-retention"]);
});

it("says that none fits", async () => {
  const page = await console().open(`${LIST}?is_active=false`);
  await page.getByText("No endpoint fits.").waitFor();
});

it("runs an endpoint with the values that somebody gives, and the address carries them", async () => {
  const page = await console().open(`${LIST}/events-by-day`);
  await page.getByLabel("event_name").waitFor();
  expect(await page.getByLabel("event_name").inputValue()).toBe("$pageview");
  await page.getByLabel("Limit").fill("3");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/^3 rows, .*version 1/).waitFor();
  await page.getByLabel("Show as").selectOption("table");
  const cells = page.getByRole("region", { name: "events-by-day" }).locator("tbody");
  const usual = await cells.textContent();
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByLabel("event_name").fill("$autocapture");
  await page.getByLabel("event_name").press("Enter");
  await expect.poll(() => page.url()).toContain("var.event_name=%24autocapture");
  await expect.poll(() => page.getByText("The query gave no rows.").or(cells).textContent()).not.toBe(usual);
  const other = await page.getByRole("region", { name: "Result" }).textContent();

  const address = page.url().slice(console().platform.baseUrl.length + 1);
  const sent = await console().open(address);
  await sent.getByText(/^\d+ rows?, /).waitFor();
  expect(await sent.getByLabel("event_name").inputValue()).toBe("$autocapture");
  expect(rowsOf(await sent.getByRole("region", { name: "Result" }).textContent())).toBe(rowsOf(other));
  await page.goBack();
  await expect.poll(() => page.getByLabel("event_name").inputValue()).toBe("$pageview");
  await expect.poll(() => cells.textContent()).toBe(usual);
});

const rowsOf = (text: string | null): string | undefined => /\d+ rows?/.exec(text ?? "")?.[0];

it("draws a trend and a retention", async () => {
  const trend = await console().open(`${LIST}/pageviews-by-browser/run?run=1`);
  await trend.getByRole("img", { name: "pageviews-by-browser" }).waitFor();
  expect(await trend.getByLabel("$browser (required)").or(trend.getByLabel("$browser")).count()).toBe(1);
  const retention = await console().open(`${LIST}/weekly-retention/run?run=1`);
  await retention.getByRole("region", { name: "weekly-retention" }).waitFor();
});

it("says what is wrong with a run at its field", async () => {
  await save("asks", "SELECT count() AS events FROM events WHERE event = {variables.which}", null);
  await api("PATCH", "endpoints/asks/", { is_materialized: true });
  await expect.poll(async () => (await api("GET", "endpoints/asks/")).is_materialized).toBe(true);
  const page = await console().open(`${LIST}/asks`, { refusals: true });
  await page.getByLabel("which (required)").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Required variable(s) 'which' not provided").waitFor();
  expect(await page.getByLabel("which (required)").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("which (required)").fill("signup");
  await page.getByLabel("Limit").fill("0");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Invalid limit parameter: 0").waitFor();
  expect(await page.getByLabel("Limit").getAttribute("aria-invalid")).toBe("true");
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("saves an edited query as a new version, shows what changed, and brings the older one back", async () => {
  await save("edited", "SELECT count() AS events\nFROM events\nWHERE event = 'signup'");
  const page = await console().open(`${LIST}/edited/query`);
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await write(page, "SELECT count() AS events\nFROM events\nWHERE event = {variables.which}");
  await page.getByLabel("which, unless a run says otherwise").fill("login");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Save as version 2" }).click();
  const diff = page.getByRole("group", { name: "From version 1 to 2" });
  await diff.waitFor();
  expect(await diff.locator(".went").allTextContents()).toEqual([expect.stringContaining("WHERE event = 'signup'")]);
  expect(await diff.locator(".came").allTextContents()).toEqual([
    expect.stringContaining("WHERE event = {variables.which}"),
    expect.stringContaining('-- which = "login"'),
  ]);
  expect(await accessibilityFaults(page)).toEqual([]);

  await page.getByRole("group", { name: "Versions" }).getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("button", { name: "Save version 1 again as version 3" }).click();
  await page.getByRole("group", { name: "From version 2 to 3" }).waitFor();
  expect((await api("GET", "endpoints/edited/")).query.query).toContain("'signup'");
});

it("says in the API's words what is wrong with an edited query", async () => {
  await save("broken", "SELECT count() AS events FROM events");
  const page = await console().open(`${LIST}/broken/query`, { refusals: true });
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await write(page, "SELECT count( FROM");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  expect(await page.getByRole("alert").textContent()).toMatch(/^Invalid HogQL query/);
});

it("says why a query can have no table, and that no model is asked without consent", async () => {
  await save("no-table", "SELECT count() AS events FROM events WHERE event != {variables.which}");
  const page = await console().open(`${LIST}/no-table/table`, { refusals: true });
  await heading(page, "Why there can be no table").waitFor();
  await page.getByText(/Unsupported operator/).waitFor();
  expect(await page.getByRole("button", { name: "Materialise" }).count()).toBe(0);
  await page.getByRole("button", { name: "Suggest a form that can" }).click();
  expect(await page.getByRole("alert").textContent()).toMatch(/AI data processing|model/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("materialises an endpoint, runs it both ways, and removes its table", async () => {
  await save("kept", "SELECT event, count() AS events FROM events GROUP BY event ORDER BY event");
  const page = await console().open(`${LIST}/kept/table`);
  await heading(page, "How it is materialised").waitFor();
  await page.getByRole("button", { name: "Run it both ways" }).click();
  await page.getByText(/^Both ways give the same rows/).waitFor();
  await page.getByRole("button", { name: "Materialise", exact: true }).click();
  await page.getByText("the table (materialised)").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("A result may be as old as").selectOption("900");
  await expect.poll(async () => (await api("GET", "endpoints/kept/")).data_freshness_seconds).toBe(900);
  await page.getByLabel("Rows are computed by").selectOption("embedded");
  await expect.poll(async () => (await api("GET", "endpoints/kept/")).engine).toBe("embedded");
  await page.getByRole("link", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/rows, .* materialised, computed/).waitFor();
  await page.getByRole("link", { name: "Table", exact: true }).click();
  await page.getByRole("button", { name: "Remove the table" }).click();
  await page.getByText("the events (live)").waitFor();
});

it("logs a run, by level and words", async () => {
  await save("logged", "SELECT count() AS events FROM events");
  const page = await console().open(`${LIST}/logged/log`);
  await page.getByText("Not run in the last 30 days.").waitFor();
  await api("POST", "endpoints/logged/run/", { limit: 5 });
  await api("POST", "endpoints/logged/run/", { variables: { none: 1 } });
  const rows = page.getByRole("group", { name: "Log" }).locator("tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByLabel("Level").selectOption("ERROR");
  await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining("invalid request")]);
  await page.getByLabel("Words of the entry").fill("executed");
  await page.getByText("No entry fits.").waitFor();
  expect(page.url()).toMatch(/log\?level=ERROR&search=executed$/);
});

it("shows how programs use it", async () => {
  const page = await console().open(`${LIST}/events-by-day/use`);
  await page.getByText(`-d '{"variables":{"event_name":"$pageview"}}'`).waitFor();
  await page.getByText('body: { variables: { event_name: "$pageview" } }').waitFor();
  await page.getByText('EndpointRunRequest.from_dict({"variables": {"event_name": "$pageview"}})').waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download events-by-day.json" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("events-by-day.json");
});

it("is where the API's own address of an endpoint for people leads", async () => {
  const { ui_url } = await api("GET", "endpoints/events-by-day/");
  const page = await console().open(ui_url.slice(console().platform.baseUrl.length + 1));
  expect(page.url()).toBe(ui_url);
  await heading(page, "events-by-day").waitFor();
  await page.getByLabel("event_name").waitFor();
});

it("describes, deactivates and deletes an endpoint, and asks once more before it does", async () => {
  await save("going", "SELECT 1 AS one");
  const page = await console().open(`${LIST}/going`);
  await page.getByRole("button", { name: "Edit description and tags" }).click();
  await page.getByLabel("Description").fill("It goes.");
  await page.getByLabel("Tags, separated by commas").fill("Old, odd");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("It goes.").waitFor();
  await page.getByText("#odd · #old").waitFor();
  await page.getByRole("button", { name: "Deactivate" }).click();
  await page.getByText("An inactive endpoint is not run").waitFor();
  await page.getByRole("button", { name: "Activate" }).click();
  await page.getByRole("button", { name: "Deactivate" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page
    .getByRole("group", { name: /^Delete it/ })
    .getByRole("button", { name: "Keep" })
    .click();
  await page.getByRole("button", { name: "Delete" }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page
    .getByRole("group", { name: /^Delete it/ })
    .getByRole("button", { name: "Delete" })
    .click();
  await page.waitForURL(`**/${LIST}`);
  await page.getByRole("link", { name: "weekly-retention" }).waitFor();
  expect(await page.getByRole("link", { name: "going" }).count()).toBe(0);
});

it("shows no button that the key has no right to", async () => {
  const { open, keyWith } = console();
  const page = await open(`${LIST}/events-by-day/table`, { key: await keyWith("endpoint:read") });
  await heading(page, "How it is materialised").waitFor();
  for (const name of ["Delete", "Deactivate", "Edit description and tags", "Materialise"]) {
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  }
  await page.getByRole("link", { name: "Query" }).click();
  await heading(page, "Versions").waitFor();
  expect(await page.getByRole("button", { name: "Edit" }).count()).toBe(0);
  await page.getByRole("link", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/^\d+ rows, /).waitFor();
});

it("leaves room for the other columns beside a name of the greatest length", async () => {
  const name = `a${"b".repeat(127)}`;
  await save(name, "SELECT {variables.which} AS which");
  const page = await console().open(LIST);
  await page.getByRole("link", { name }).waitFor();
  const [wide, seen] = await page.getByRole("group", { name: "Endpoints" }).evaluate((table) => [table.scrollWidth, table.clientWidth]);
  expect(wide).toBe(seen);
});

it("breaks a name and a description that have no spaces", async () => {
  const name = `a${"c".repeat(127)}`;
  await api("POST", "endpoints/", { name, description: "d".repeat(2_000), query: sql("SELECT {variables.which} AS which", "signup") });
  const page = await console().open(`${LIST}/${name}`, { viewport: { width: 360, height: 740 } });
  await page.getByRole("button", { name: "Edit description and tags" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
});
