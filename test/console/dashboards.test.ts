import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();

const PLACE = "project/1/dashboards";

/** A call of the API as the demo's owner. */
const api = async (method: string, path: string, body?: unknown) => {
  const { platform, key } = console();
  const response = await fetch(`${platform.baseUrl}/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return text === "" ? undefined : JSON.parse(text);
};

const TILES = [
  { endpoint: "pageviews-by-browser", title: "Browsers", plot: "table", width: 6, height: 2 },
  { endpoint: "events-by-day", title: "Days", plot: "line", width: 6, height: 2 },
];

const made = (name: string, more: object = {}) => api("POST", "projects/1/dashboards/", { name, tiles: TILES, ...more });

const link = async (id: string): Promise<string> => (await api("POST", `projects/1/dashboards/${id}/sharing/`)).url;

/** The page asks its API first. */
const eventually = <T>(read: () => Promise<T> | T) => expect.poll(read);

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
const press = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true }).click();
const tile = (page: Page, title: string) => page.getByRole("article", { name: title, exact: true });
const titles = (page: Page) => page.locator("[data-tile] h2").allTextContents();
const bodyRows = (page: Page, title: string) => tile(page, title).locator("tbody tr").count();

it("lists dashboards, those that are pinned first, and opens one", async () => {
  await made("Another", { tiles: [] });
  const page = await console().open(PLACE);
  await page.getByRole("link", { name: "Another" }).waitFor();
  expect(await page.locator("tbody tr").first().textContent()).toMatch(/^Overview.*pinned3none/);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByRole("img", { name: "Page views and people" }).waitFor();
  await page.getByRole("img", { name: "Page views by browser" }).waitFor();
  await page.getByRole("region", { name: "Who comes back" }).getByRole("table").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("makes a dashboard of two tiles, orders them by keys, and saves it", async () => {
  const page = await console().open(PLACE);
  await press(page, "New dashboard");
  await page.getByLabel("Name").fill("Shop");
  await press(page, "Make it");
  await heading(page, "Edit Shop").waitFor();
  for (const [endpoint, title] of [
    ["events-by-day", "By day"],
    ["pageviews-by-browser", "By browser"],
  ] as const) {
    await press(page, "Add a tile");
    await page.getByLabel("Endpoint", { exact: true }).selectOption(endpoint);
    await page.getByLabel("Title").fill(title);
    if (endpoint === "events-by-day") await page.getByLabel("event_name").fill("signup");
    await press(page, "Add");
  }
  await eventually(() => titles(page)).toEqual(["By day", "By browser"]);
  await page.getByRole("img", { name: "By browser" }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  const earlier = page.getByRole("button", { name: "Earlier By browser" });
  await earlier.focus();
  await page.keyboard.press("Enter");
  await eventually(() => titles(page)).toEqual(["By browser", "By day"]);
  // At an end the other button has the focus.
  await page.keyboard.press("Enter");
  await press(page, "Later By day");
  await press(page, "Change By day");
  await page.getByLabel("Width").selectOption("12");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("dialog").getByRole("button", { name: "Change", exact: true }).click();
  await press(page, "Remove By browser");
  await eventually(() => titles(page)).toEqual(["By day"]);
  await press(page, "Undo");
  await eventually(() => titles(page)).toHaveLength(2);
  await press(page, "Save");
  await heading(page, "Shop").waitFor();
  const { results } = await api("GET", "projects/1/dashboards/?limit=1000");
  const saved = results.find(({ name }: { readonly name: string }) => name === "Shop");
  expect(saved.tiles).toMatchObject([
    { endpoint: "pageviews-by-browser", title: "By browser" },
    { endpoint: "events-by-day", title: "By day", width: 12, variables: { event_name: "signup" } },
  ]);
  expect(page.url()).toMatch(new RegExp(`dashboards/${saved.id}$`));
});

it("takes a number of a tile's variable as it is typed, to its last digit", async () => {
  const declared = {
    "0190d0aa-0000-7000-8000-000000000001": { variableId: "0190d0aa-0000-7000-8000-000000000001", code_name: "least", value: 1 },
  };
  const query = { kind: "HogQLQuery", query: "SELECT {variables.least} AS least", variables: declared };
  await api("POST", "projects/1/endpoints/", { name: "least", query });
  const { id } = await made("Numbers", { tiles: [{ endpoint: "least", title: "Least" }] });
  const page = await console().open(`${PLACE}/${id}?edit=1`);
  for (const [typed, value] of [
    ["1.05", 1.05],
    ["9007199254740993", "9007199254740993"],
  ] as const) {
    await press(page, "Change Least");
    await page.getByLabel("least", { exact: true }).fill("");
    await page.getByLabel("least", { exact: true }).pressSequentially(typed);
    expect(await page.getByLabel("least", { exact: true }).inputValue()).toBe(typed);
    await page.getByRole("dialog").getByRole("button", { name: "Change", exact: true }).click();
    await press(page, "Save");
    await heading(page, "Numbers").waitFor();
    expect((await api("GET", `projects/1/dashboards/${id}/`)).tiles).toMatchObject([{ variables: { least: value } }]);
    await press(page, "Edit");
  }
});

it("moves a tile to where it is drawn", async () => {
  const { id } = await made("Drawn");
  const page = await console().open(`${PLACE}/${id}?edit=1`);
  await eventually(() => titles(page)).toEqual(["Browsers", "Days"]);
  await tile(page, "Browsers").getByText("Drag").hover();
  await page.mouse.down();
  await tile(page, "Days").getByText("Drag").hover({ force: true });
  await page.mouse.up();
  await eventually(() => titles(page)).toEqual(["Days", "Browsers"]);
});

it("a range and a filter change the rows, and the address carries them", async () => {
  const { id } = await made("Ranged");
  const page = await console().open(`${PLACE}/${id}`);
  await eventually(() => bodyRows(page, "Browsers")).toBe(31);
  await press(page, "One range for all");
  await page.getByLabel("Range", { exact: true }).selectOption("-7d");
  await eventually(() => bodyRows(page, "Browsers")).toBe(8);
  expect(new URL(page.url()).searchParams.get("date_from")).toBe("-7d");
  expect(await tile(page, "Days").locator("header").textContent()).toContain("not filtered");
  await press(page, "Add a filter");
  await page.getByLabel("Property").fill("$browser");
  await page.getByLabel("Value").fill("Chrome");
  await press(page, "Add");
  await eventually(() => tile(page, "Browsers").locator("thead th").allTextContents()).toEqual(["Time", "Chrome"]);
  const other = await console().open(page.url().slice(console().platform.baseUrl.length + 1));
  await eventually(() => tile(other, "Browsers").locator("thead th").allTextContents()).toEqual(["Time", "Chrome"]);
  expect(await bodyRows(other, "Browsers")).toBe(8);
  expect((await api("GET", `projects/1/dashboards/${id}/`)).filters.date_from).toBe(null);
  await press(other, "Save these as its own");
  await eventually(() => new URL(other.url()).search).toBe("");
  expect((await api("GET", `projects/1/dashboards/${id}/`)).filters).toMatchObject({
    date_from: "-7d",
    properties: [{ key: "$browser", operator: "exact", value: "Chrome" }],
  });
  await page.goBack();
  await eventually(() => tile(page, "Browsers").locator("thead th").count()).toBe(5);
});

it("says a range that its fields cannot show in words", async () => {
  const { id } = await made("Fortnight", { filters: { date_from: "-14d" } });
  const page = await console().open(`${PLACE}/${id}`);
  await page.getByText("Last 14 days").waitFor();
  await eventually(() => bodyRows(page, "Browsers")).toBe(15);
  await press(page, "Another range");
  await eventually(() => bodyRows(page, "Browsers")).toBe(31);
});

it("computes anew on a press, and says in a tile's place why it has no rows", async () => {
  const { id } = await made("Failing", { tiles: [...TILES, { endpoint: "events-by-day", title: "Broken", variables: { none: 1 } }] });
  const page = await console().open(`${PLACE}/${id}`, { refusals: true });
  expect(await tile(page, "Broken").getByRole("alert").textContent()).toMatch(/none/);
  await eventually(() => bodyRows(page, "Browsers")).toBe(31);
  const forced = page.waitForRequest((request) => request.url().includes("pageviews-by-browser/run"));
  await press(page, "Refresh");
  expect((await forced).postDataJSON()).toMatchObject({ refresh: "force" });
});

it("tells whoever saves late, loads the newer one, and brings the changes back", async () => {
  const { id } = await made("Contested");
  const page = await console().open(`${PLACE}/${id}?edit=1`, { refusals: true });
  await page.getByLabel("Description").fill("Mine");
  await api("PATCH", `projects/1/dashboards/${id}/`, { name: "Theirs" });
  await press(page, "Save");
  expect(await page.getByRole("alert").textContent()).toMatch(/revision 2.*Your changes are still here/);
  expect(await page.getByLabel("Description").inputValue()).toBe("Mine");
  await press(page, "Load the newer one");
  await heading(page, "Edit Theirs").waitFor();
  expect(await page.getByLabel("Description").inputValue()).toBe("");
  await press(page, "Bring them back");
  await press(page, "Save");
  await heading(page, "Contested").waitFor();
  expect(await api("GET", `projects/1/dashboards/${id}/`)).toMatchObject({ name: "Contested", description: "Mine", revision: 3 });
});

it("keeps changes while somebody looks elsewhere, and gives discarded ones back", async () => {
  const { id } = await made("Kept");
  const page = await console().open(`${PLACE}/${id}?edit=1`);
  await page.getByLabel("Description").fill("Half done");
  await page.getByRole("link", { name: "Dashboards" }).click();
  await page.getByRole("link", { name: "Kept" }).click();
  await press(page, "Go on with them");
  expect(await page.getByLabel("Description").inputValue()).toBe("Half done");
  await press(page, "Discard");
  await heading(page, "Kept").waitFor();
  await press(page, "Undo");
  expect(await page.getByLabel("Description").inputValue()).toBe("Half done");
  await press(page, "Discard");
  expect((await api("GET", `projects/1/dashboards/${id}/`)).description).toBe("");
});

it("deletes a dashboard when it is asked once more", async () => {
  const { id } = await made("Brief");
  const page = await console().open(`${PLACE}/${id}?edit=1`);
  await press(page, "Delete the dashboard");
  await press(page, "Delete the dashboard");
  await heading(page, "Dashboards").waitFor();
  await eventually(() => page.getByRole("link", { name: "Overview" }).count()).toBe(1);
  expect(await page.getByRole("link", { name: "Brief" }).count()).toBe(0);
});

it("makes a public link that shows its dashboard alone, to somebody without a key", async () => {
  const { platform, open, key } = console();
  const other = await made("Other");
  const { id } = await made("Public", { description: "For everybody", filters: { date_from: "-7d" } });
  const owner = await open(`${PLACE}/${id}`);
  await press(owner, "Share");
  await press(owner, "Make a link");
  const url = (await owner.getByRole("link", { name: "Open it" }).getAttribute("href")) ?? "";
  expect(url).toMatch(new RegExp(`^${platform.baseUrl}/shared/[\\w-]{43}/$`));
  expect(await accessibilityFaults(owner)).toEqual([]);

  // The console's key on the device is not sent.
  const visitor = await open("console/icon.svg", { key: null });
  await visitor.context().addInitScript((value) => localStorage.setItem("analytics-key", value), key);
  const asked: { readonly path: string; readonly authorization: string | undefined }[] = [];
  visitor.on("request", (request) => asked.push({ path: new URL(request.url()).pathname, authorization: request.headers().authorization }));
  const opened = await visitor.goto(url);
  expect(opened?.status()).toBe(200);
  await heading(visitor, "Public").waitFor();
  await visitor.getByText("Last 7 days").waitFor();
  await eventually(() => bodyRows(visitor, "Browsers")).toBe(8);
  await visitor.getByRole("img", { name: "Days" }).waitFor();
  expect(await accessibilityFaults(visitor)).toEqual([]);
  expect(asked.filter(({ path, authorization }) => authorization !== undefined || !/^\/(?:shared|console)\//.test(path))).toEqual([]);
  expect(await visitor.getByRole("navigation").count()).toBe(0);
  expect(await visitor.getByRole("link").count()).toBe(0);
  expect(await visitor.title()).toBe("Public");
  expect((await fetch(`${url}tiles/${other.tiles[0].id}/`)).status).toBe(404);

  await press(owner, "Revoke");
  await press(owner, "Revoke");
  await owner.getByRole("button", { name: "Make a link" }).waitFor();
  const late = await open("console/icon.svg", { key: null, refusals: true });
  expect((await late.goto(url))?.status()).toBe(404);
  await heading(late, "This link shows nothing any more").waitFor();
  expect(await accessibilityFaults(late)).toEqual([]);
});

it("asks again after as long as it is told, when it asked too often", async () => {
  const { id } = await made("Busy", { tiles: [] });
  const url = await link(id);
  const visitor = await console().open("console/icon.svg", { key: null, refusals: true });
  let isRefused = true;
  await visitor.route(/\/shared\/[\w-]+$/, async (route) => {
    if (!isRefused) return route.continue();
    isRefused = false;
    const body = JSON.stringify({ type: "throttled_error", code: "throttled", detail: "Request was throttled.", attr: null });
    return route.fulfill({ status: 429, headers: { "retry-after": "1", "content-type": "application/json" }, body });
  });
  await visitor.goto(url);
  expect(await visitor.getByRole("alert").textContent()).toBe("Request was throttled.");
  await heading(visitor, "Busy").waitFor();
});

it("shows what a key may do, and nothing else", async () => {
  const { id } = await made("Read only");
  const reading = await console().keyWith("dashboard:read", "endpoint:read");
  const reader = await console().open(`${PLACE}/${id}`, { key: reading });
  await eventually(() => bodyRows(reader, "Browsers")).toBe(31);
  for (const name of ["Share", "Edit"]) expect(await reader.getByRole("button", { name, exact: true }).count()).toBe(0);
  await reader.getByRole("link", { name: "Dashboards" }).click();
  await reader.getByRole("link", { name: "Read only" }).waitFor();
  expect(await reader.getByRole("button", { name: "New dashboard" }).count()).toBe(0);
  const writer = await console().open(`${PLACE}/${id}`, { key: await console().keyWith("dashboard:write") });
  await writer.getByText("endpoint:read").waitFor();
  expect(await writer.getByRole("button", { name: "Share", exact: true }).count()).toBe(0);
  expect(await writer.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
});

it("says what a dashboard is where there is none", async () => {
  for (const { id } of (await api("GET", "projects/1/dashboards/?limit=1000")).results) await api("DELETE", `projects/1/dashboards/${id}/`);
  const page = await console().open(PLACE);
  await heading(page, "No dashboard yet.").waitFor();
  expect(await page.getByRole("figure").textContent()).toContain(`${console().platform.baseUrl}/api/projects/1/dashboards`);
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("has a way to read a title that is too long for its tile", async () => {
  const title = `Long ${"title ".repeat(20)}`.trim();
  const { id } = await made("Long titles", { tiles: [{ endpoint: "events-by-day", title, plot: "table", width: 3, height: 1 }] });
  const page = await console().open(`${PLACE}/${id}`);
  expect(await page.locator("[data-tile] h2").getAttribute("title")).toBe(title);
});
