import { expect, it } from "vitest";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();

const VIEWS = ["live", "ask", "endpoints", "dashboards", "errors", "usage", "health"];

it("goes to views by two keys, and back by the browser's own button", async () => {
  const page = await console().open("project/1/live");
  await page.locator("main h1").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("e");
  await page.waitForURL("**/project/1/endpoints");
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.waitForURL("**/project/1/dashboards");
  await page.goBack();
  await page.waitForURL("**/project/1/endpoints");
  await page.getByRole("heading", { name: "Endpoints", level: 1 }).waitFor();
});

it("searches views, projects and endpoints after `/`, and shows its keys after `?`", async () => {
  const page = await console().open("project/1/live");
  await page.locator("main h1").waitFor();
  await page.keyboard.press("/");
  await page.getByLabel("A view, a project or an endpoint").fill("events-by");
  await page.getByRole("link", { name: "events-by-day endpoint" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/project/1/endpoints/events-by-day**");
  await page.locator("main h1").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

it("leads past the navigation to the view, and stays in it", async () => {
  const page = await console().open("project/1/endpoints?q=events");
  await page.getByRole("link", { name: "events-by-day" }).first().waitFor();
  await page.keyboard.press("Tab");
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await page.waitForURL(/project\/1\/endpoints\?q=events#main$/);
  await expect.poll(() => page.locator("main").evaluate((main) => main.matches(":focus"))).toBe(true);
});

it("keeps the focus of whoever works by keys, wherever what had it goes", async () => {
  const page = await console().open("project/1/endpoints");
  const press = async (role: "button" | "link", name: string): Promise<void> => {
    await page.getByRole(role, { name, exact: true }).first().focus();
    await page.keyboard.press("Enter");
  };
  const hasFocus = (control: ReturnType<typeof page.locator>) =>
    expect.poll(() => control.evaluate((element) => element.matches(":focus"))).toBe(true);

  // Into a view that follows another.
  await page.getByRole("link", { name: "events-by-day" }).first().waitFor();
  await press("link", "events-by-day");
  await page.getByRole("heading", { name: "events-by-day", level: 1 }).waitFor();
  await hasFocus(page.locator("main"));

  // Into a form that stands in a button's place, and back.
  await press("button", "Edit description and tags");
  await hasFocus(page.getByLabel("Description"));
  await press("button", "Cancel");
  await hasFocus(page.getByRole("button", { name: "Edit description and tags" }));
  await press("button", "Edit description and tags");
  await page.getByLabel("Description").fill("What a day had");
  await press("button", "Save");
  await hasFocus(page.getByRole("button", { name: "Edit description and tags" }));

  // On a button that was switched off while it was at work.
  await press("button", "Deactivate");
  await hasFocus(page.getByRole("button", { name: "Activate" }));
  await press("button", "Activate");
  await hasFocus(page.getByRole("button", { name: "Deactivate" }));

  // Into the first field of a dialog.
  await press("link", "Dashboards");
  await page.getByRole("button", { name: "New dashboard" }).waitFor();
  await press("button", "New dashboard");
  await hasFocus(page.getByRole("dialog").getByLabel("Name"));
  await page.keyboard.press("Escape");
  await hasFocus(page.getByRole("button", { name: "New dashboard" }));
});

it("says that nothing has an address that was never written as one", async () => {
  const page = await console().open("project/1/endpoints/%E0%A4%A", { refusals: true });
  await page.getByRole("heading", { name: "%E0%A4%A", level: 1 }).waitFor();
  await page.getByRole("alert").getByText("not found").waitFor();
});

/** Presses a key in the very moment in which a view is there. */
const PRESS_AT_ONCE = `new MutationObserver((_, own) => {
  if (document.querySelector("main h1") === null) return;
  own.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", bubbles: true }));
}).observe(document, { subtree: true, childList: true })`;

it("hears a key as soon as a view is there", async () => {
  const page = await console().open("");
  await page.addInitScript(PRESS_AT_ONCE);
  await page.goto(`${console().platform.baseUrl}/project/1/live`);
  await page.getByLabel("A view, a project or an endpoint").waitFor();
});

it.each([320, 1280, 3840])("shows every view %d pixels wide without a second bar to scroll", async (width) => {
  const page = await console().open("", { viewport: { width, height: 800 } });
  for (const view of VIEWS) {
    await page.goto(`${console().platform.baseUrl}/project/1/${view}`);
    await page.locator("main h1").waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
    expect([view, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([view, width]);
  }
});

it("closes the menu by Escape, which leaves the focus on it, and by a press beside it", async () => {
  const page = await console().open("project/1/endpoints");
  const menu = page.locator("details.menu");
  await menu.locator("summary").focus();
  await page.keyboard.press("Enter");
  await menu.getByRole("button", { name: "Sign out" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Escape");
  expect(await menu.getAttribute("open")).toBe(null);
  expect(await menu.locator("summary").evaluate((summary) => summary.matches(":focus"))).toBe(true);
  await page.keyboard.press("Enter");
  await page.locator("main h1").click();
  await expect.poll(() => menu.getAttribute("open")).toBe(null);
});

it("shows on a narrow screen which view is open", async () => {
  const page = await console().open("project/1/health", { viewport: { width: 360, height: 740 } });
  const current = page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Health" });
  await expect
    .poll(async () => ((await current.boundingBox())?.x ?? Number.NaN) + ((await current.boundingBox())?.width ?? 0))
    .toBeLessThanOrEqual(360);
});

it("keeps its frame where a view cannot be drawn, and draws it anew", async () => {
  const { open, forgive } = console();
  const page = await open("project/1/live");
  await page.route("**/endpoints?**", (route) => route.fulfill({ json: { count: 1, results: [{}], next: null, previous: null } }));
  await page.getByRole("link", { name: "Endpoints" }).click();
  await page.getByRole("heading", { name: "This view cannot be shown." }).waitFor();
  await page.unroute("**/endpoints?**");
  await page.reload();
  await page.getByRole("link", { name: "events-by-day" }).first().waitFor();
  forgive(/is not iterable/);
});

it("shows only what a key may see, and says which scope is missing elsewhere", async () => {
  const { platform, open, keyWith } = console();
  const page = await open("", { key: await keyWith("endpoint:read") });
  await page.waitForURL("**/project/1/endpoints");
  expect(await page.getByRole("navigation", { name: "Views" }).getByRole("link").allTextContents()).toEqual(["Endpoints"]);
  await page.goto(`${platform.baseUrl}/project/1/live`);
  await page.getByText("query:read").waitFor();
});

it("says that a key may see no view, where it reaches projects all the same", async () => {
  const page = await console().open("", { key: await console().keyWith("llm_gateway:read") });
  await page.getByRole("heading", { name: "This key may see no view." }).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
});

it("signs nobody out while the platform is away, and goes on when it is back", async () => {
  const { open, forgive } = console();
  const page = await open("project/1/endpoints");
  await page.getByRole("link", { name: "events-by-day" }).first().waitFor();
  await page.route("**/api/**", (route) => route.abort());
  await page.reload();
  await page.getByRole("alert").getByText("The platform does not answer").waitFor();
  await page.unroute("**/api/**");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "events-by-day" }).first().waitFor();
  forgive(/ERR_FAILED/);
});

it("loads a view that was asked for without a network as soon as there is one", async () => {
  const { open, forgive } = console();
  const page = await open("project/1/endpoints");
  await page.getByRole("link", { name: "events-by-day" }).first().waitFor();
  await page.context().setOffline(true);
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Health" }).click();
  await page.getByText("The network is away.").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.context().setOffline(false);
  await page.getByText(/All events are stored/).waitFor();
  forgive(/ERR_INTERNET_DISCONNECTED/);
});

it("asks again by itself while the platform is away, until it is back", async () => {
  const { open, forgive } = console();
  const page = await open("project/1/endpoints");
  const endpoint = page.getByRole("link", { name: "events-by-day" }).first();
  await endpoint.waitFor();
  await page.route("**/api/**", (route) => route.abort());
  await page.getByLabel("State").selectOption("Active");
  await page.getByRole("alert").getByText("The platform does not answer").waitFor();
  await page.unroute("**/api/**");
  await endpoint.waitFor();
  await page.getByRole("alert").waitFor({ state: "detached" });
  forgive(/ERR_FAILED/);
});
