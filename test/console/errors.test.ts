import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { apiClient } from "../support/api-client.ts";
import { aTenant } from "../support/processes/platform.ts";
import { hermesMap } from "../support/symbols/symbol-file.ts";
import { uploadSets } from "../support/symbols/upload.ts";
import { aConsole, accessibilityFaults } from "./console.ts";

const console = aConsole();

const ERRORS = "project/1/errors";
const issueLink = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const rows = (page: Page) => page.locator("a[data-issue]");

it.each([
  ["", "issues?"],
  ["/releases", "releases?"],
  ["/symbol-sets", "symbol_sets?"],
  ["/spikes", "spike_events?"],
  ["/rules?kind=severity", "severity_rules"],
  ["/alerts", "alert_rules"],
])("errors%s shows the call behind it", async (place, call) => {
  const page = await console().open(ERRORS + place, { key: await console().keyWith("error_tracking:read") });
  await page.getByRole("button", { name: "curl of this view" }).click();
  expect(await page.getByRole("dialog").locator("code").first().textContent()).toContain(`/error_tracking/${call}`);
});

it("takes two lines for the place of an issue, however long the name of its function is", async () => {
  const tenant = await aTenant(console().platform.world);
  const frame = { platform: "javascript", filename: "app.js", function: "g".repeat(3_000), lineno: 1, in_app: true };
  const $exception_list = [{ type: "TypeError", value: "no", stacktrace: { type: "raw", frames: [frame] } }];
  const batch = [{ event: "$exception", distinct_id: "ana", properties: { $exception_list } }];
  const sent = { method: "POST", body: JSON.stringify({ api_key: tenant.projectToken, batch }) };
  expect((await fetch(`${console().platform.ingestUrl}/batch/`, sent)).status).toBe(200);
  const page = await console().open(`project/${tenant.projectId}/errors`, { key: tenant.personalKey });
  const isThere = async (): Promise<boolean> => {
    await page.reload();
    const place = page.locator(".issues code");
    return place.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  };
  await expect.poll(isThere).toBe(true);
  expect((await page.getByRole("row", { name: /TypeError/ }).boundingBox())?.height).toBeLessThan(160);
});

describe("issues", () => {
  it("are a line each with where, how often and how they stand; filters and order are the address", async () => {
    const page = await console().open(ERRORS);
    await issueLink(page, "TypeError").waitFor();
    expect(await rows(page).count()).toBe(3);
    const row = page.getByRole("row", { name: /TypeError/ });
    await row.getByText("/src/cart.ts:21 total").waitFor();
    expect(await row.getByRole("img").getAttribute("aria-label")).toMatch(/^Events since \d{4}-\d\d-\d\d: (\d+, ){20,47}\d+$/);
    const sorted = async (direction: string): Promise<readonly number[]> => {
      await page.getByRole("link", { name: "Events" }).click();
      await page.locator(`th[aria-sort=${direction}]`, { hasText: "Events" }).waitFor();
      await expect.poll(() => page.locator("[aria-busy]").count()).toBe(0);
      return (await page.locator("td.numeric:nth-of-type(4)").allTextContents()).map(Number);
    };
    const most = await sorted("descending");
    expect(page.url()).toContain("order=-occurrences");
    expect(most).toEqual(most.toSorted((one, other) => other - one));
    expect(await sorted("ascending")).toEqual(most.toReversed());
    await page.getByLabel("Type or message").fill("PROPERTIES of undefined");
    await expect.poll(() => rows(page).allTextContents()).toEqual(["TypeError"]);
    expect(page.url()).toContain("text=PROPERTIES");
    await page.goto(`${console().platform.baseUrl}/${ERRORS}?status=resolved`);
    await page.getByText("No issue is like that.").waitFor();
    await page.getByRole("link", { name: "Show all issues" }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it("open with their stack, what happened before and their events; e resolves, and that can be undone", async () => {
    const page = await console().open(ERRORS);
    await issueLink(page, "TypeError").click();
    await page.getByText("return sum - discount.total;").waitFor();
    expect(await page.getByText("2 frames of libraries").count()).toBe(1);
    await page.getByText("Pressed “Pay”").waitFor();
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "Newer" }).waitFor();
    expect(page.url()).toMatch(/event=[0-9a-f-]{36}$/);
    await page.keyboard.press("e");
    await page.getByText("Resolved TypeError.").waitFor();
    await page.locator(".status.resolved").waitFor();
    await page.getByText("Status: active → resolved").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".status.active").waitFor();
  });

  it("show the cause of an exception below it, and say why their events are one", async () => {
    const page = await console().open(ERRORS);
    await issueLink(page, "NetworkError").click();
    await page.getByRole("heading", { name: "Caused by TimeoutError" }).waitFor();
    await page.getByText("Why these events are one issue").click();
    await page.getByText(/made of the type and \d frames? \(request/).click();
    await page.getByText(/^request \(\/src\/api\.ts\): /).waitFor();
    await page.getByText("Version v2 of grouping").waitFor();
  });

  it("are walked with j and k, and suppressed with i", async () => {
    const page = await console().open(ERRORS);
    await issueLink(page, "TypeError").waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("k");
    const first = (await rows(page).first().textContent()) ?? "";
    expect(await page.locator("a[data-issue]:focus").textContent()).toBe(first);
    await page.keyboard.press("i");
    await page.getByText(`Suppressed ${first}.`).waitFor();
    await expect.poll(() => rows(page).count()).toBe(2);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it("get a severity and an assignee", async () => {
    const page = await console().open(ERRORS);
    await issueLink(page, "RangeError").click();
    await page.getByLabel("Severity").selectOption("high");
    await page.getByLabel("Assignee").selectOption({ index: 1 });
    await page.getByRole("link", { name: "All issues" }).click();
    const row = page.getByRole("row", { name: /RangeError/ });
    await row.getByText("high").waitFor();
    await expect.poll(() => row.getByText("nobody").count()).toBe(0);
  });

  it("are merged after a look at what joins; old links lead on, and what was merged is taken out again", async () => {
    const page = await mergedPage();
    const stayed = page.url();
    const section = page.getByRole("group", { name: "Merged into this issue" });
    await section.getByText("RangeError").waitFor();
    await page.goto(await mergedLink(stayed));
    await page.getByText("The issue of this link was merged into this one").waitFor();
    await section.getByRole("button", { name: "Undo… RangeError" }).click();
    const undoing = page.getByRole("dialog", { name: "Take RangeError out again" });
    await undoing.getByText("1 fingerprint goes back to RangeError").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await undoing.getByRole("button", { name: "Take it out" }).click();
    await page.getByRole("heading", { name: "RangeError", level: 1 }).waitFor();
    await page.getByRole("link", { name: "All issues" }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });

  it("are split by fingerprints after a look at what leaves", async () => {
    const page = await mergedPage();
    await page.getByRole("button", { name: "Split…" }).click();
    const splitting = page.getByRole("dialog", { name: /^Split / });
    await splitting.getByLabel("RangeError").check();
    await splitting.getByText(/made of the type and \d frames? \(shipsOn/).waitFor();
    await splitting.getByText(/1 new issue, active and without an assignee, with \d+ events./).waitFor();
    await splitting.getByRole("button", { name: "Split" }).click();
    await page.getByRole("heading", { name: "RangeError", level: 1 }).waitFor();
    await page.getByRole("link", { name: "All issues" }).click();
    await expect.poll(() => rows(page).count()).toBe(3);
  });
});

/** The page of NetworkError, into which RangeError was merged. */
const mergedPage = async (): Promise<Page> => {
  const page = await console().open(ERRORS);
  await page.getByLabel("Choose RangeError").check();
  await page.getByLabel("Choose NetworkError").check();
  await page.keyboard.press("m");
  const merging = page.getByRole("dialog", { name: "Merge 2 issues" });
  await expect.poll(() => merging.getByText("1 fingerprint").count()).toBe(2);
  await merging.getByLabel("NetworkError").check();
  await merging.getByText(/NetworkError will have \d+ events of the last 30 days/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await merging.getByRole("button", { name: "Merge" }).click();
  await page.getByRole("heading", { name: "NetworkError", level: 1 }).waitFor();
  return page;
};

/** The old link of what was merged into the issue of a page. */
const mergedLink = async (stayed: string): Promise<string> => {
  const { platform, key } = console();
  const id = new URL(stayed).pathname.split("/").at(-1);
  const url = `${platform.baseUrl}/api/projects/1/error_tracking/issues/${id}/merged/`;
  const reply = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return stayed.replace(String(id), Object(await reply.json()).results[0].id);
};

describe("rules", () => {
  it("are tried on stored exceptions, saved, put in order, changed and deleted", async () => {
    const page = await console().open(`${ERRORS}/rules?kind=severity`);
    const write = async (value: string, severity: string): Promise<void> => {
      await page.getByRole("button", { name: "New severity rule" }).click();
      await page.getByLabel("Value").fill(value);
      await page.getByLabel("Severity of the issue").selectOption(severity);
    };
    await write("typeerror", "critical");
    await page.getByRole("button", { name: "Try it out" }).click();
    await page.getByText(/It would have matched \d+ of the \d+ exceptions/).waitFor();
    expect(await page.getByText("Cannot read properties").count()).toBe(5);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("contains “typeerror”").waitFor();
    await write("Range", "low");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Switch off rule 1" }).click();
    await page.getByText("switched off").waitFor();
    await page.getByRole("button", { name: "Switch on rule 1" }).click();
    await expect.poll(() => page.getByText("switched off").count()).toBe(0);
    await page.getByRole("button", { name: "Move rule 2 up" }).click();
    await expect.poll(() => page.locator(".rules > li").first().textContent()).toContain("Range");
    await page.getByRole("button", { name: "Edit rule 1" }).click();
    await page.getByLabel("Value").fill("RangeError");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("contains “RangeError”").waitFor();
    await page.getByRole("button", { name: "Delete rule 1" }).click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await expect.poll(() => page.locator(".rules > li").count()).toBe(1);
  });
});

it("assignment rules say who looks after an issue, and are tried on stored exceptions", async () => {
  const page = await console().open(`${ERRORS}/rules?kind=assignment`);
  await page.getByRole("button", { name: "New assignment rule" }).click();
  await page.getByLabel("Value").fill("typeerror");
  await page.getByLabel("Assignee of the issue").selectOption({ index: 1 });
  await page.getByRole("button", { name: "Try it out" }).click();
  await page.getByText(/It would have matched \d+ of the \d+ exceptions/).waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/contains “typeerror” → /).waitFor();
  await page.getByRole("button", { name: "Edit rule 1" }).click();
  expect(await page.getByLabel("Assignee of the issue").inputValue()).toMatch(/^user:\d+$/);
});

it("alerts are made, show their secret once, are tested, switched off and deleted", async () => {
  const page = await console().open(`${ERRORS}/alerts`);
  await page.getByText("Nobody is told yet.").waitFor();
  await page.getByRole("button", { name: "New alert" }).click();
  await page.getByLabel("Name").first().fill("Checkout breaks");
  await page.getByLabel("Tells of").selectOption("threshold");
  await page.getByLabel("Exceptions at least").fill("50");
  await page.getByLabel("As", { exact: true }).selectOption("webhook");
  await page.getByLabel("Address").fill(`${console().platform.baseUrl}/nobody-listens`);
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("region", { name: "New secret" })
    .getByText(/^whsec_/)
    .waitFor();
  await page.getByRole("button", { name: "Hide it" }).click();
  await page.getByText("at least 50 exceptions of an issue in 5 minutes, at most every 30 minutes → webhook at 127.0.0.1").waitFor();
  await page.getByRole("button", { name: "Test Checkout breaks" }).click();
  await page.getByText("The test failed:").waitFor();
  await page.getByRole("button", { name: "Switch off Checkout breaks" }).click();
  await page.getByText("switched off").waitFor();
  await page.getByRole("button", { name: "Delete Checkout breaks" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("Nobody is told yet.").waitFor();
});

it("releases and spikes say why there are none, and what a spike is can be set", async () => {
  const tenant = await aTenant(console().platform.world);
  const page = await console().open(`project/${tenant.projectId}/errors/releases`, { key: tenant.personalKey });
  await page.getByText("No build has said what it is yet.").waitFor();
  await page.getByRole("link", { name: "Spikes" }).click();
  await page.getByLabel("Exceptions at least").fill("70");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("at least 70 exceptions").waitFor();
});

it("a release says what its build said", async () => {
  const { platform, key } = console();
  await fetch(`${platform.baseUrl}/api/projects/1/error_tracking/releases/`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ version: "1.7.0", project: "shop", hash_id: "8f14e45f", metadata: { git: { branch: "main" } } }),
  });
  const page = await console().open(`${ERRORS}/releases`);
  await page.getByRole("link", { name: "1.7.0" }).click();
  await page.getByRole("heading", { name: "1.7.0" }).waitFor();
  await page.getByText("main", { exact: true }).waitFor();
});

it("frames of a bundle without a map say so, and what could not be read is told", async () => {
  const { platform, key, token } = console();
  const api = apiClient(platform.baseUrl, key);
  const frames = [
    { platform: "web:javascript", filename: "https://shop.example/assets/app.js", function: "t", lineno: 1, colno: 9_000, in_app: true },
    "no frame at all",
  ];
  const exception = { type: "BundledError", value: "t is not a function", stacktrace: { type: "raw", frames } };
  await api.post("/batch/", {
    api_key: token,
    batch: [{ event: "$exception", distinct_id: "ana", properties: { $exception_list: [exception] } }],
  });
  const found = async () => Object((await api.get("/api/projects/1/error_tracking/issues/?search=bundled")).body).results ?? [];
  await expect.poll(async () => (await found()).length).toBe(1);
  const page = await console().open(`${ERRORS}/${(await found())[0].id}`);
  await page.getByText("Not resolved: No source map was uploaded for this frame.").waitFor();
  await page.getByText("Not all of this event could be read:").waitFor();
  await page.getByRole("link", { name: "How to upload maps" }).click();
  await page.getByText("No map was uploaded yet.").waitFor();
  await page.getByText("sourcemap upload --directory ./dist").waitFor();
  await uploadSets(api, 1, { "chunk-of-the-shop": hermesMap('{"version":3,"sources":[],"names":[],"mappings":""}') });
  await page.reload();
  await page.getByRole("row", { name: /^– chunk-of-the-shop 1 KB/ }).waitFor();
  await page.getByText(/^Of the newest \d+ frames 1 is still minified/).waitFor();
  await page.getByRole("button", { name: "Delete chunk-of-the-shop" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByText("No map was uploaded yet.").waitFor();
});

it("a key that may only read sees no button that changes anything", async () => {
  const page = await console().open(ERRORS, { key: await console().keyWith("error_tracking:read", "query:read") });
  await issueLink(page, "TypeError").waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  await issueLink(page, "TypeError").click();
  await page.getByText("return sum - discount.total;").waitFor();
  expect(await page.getByRole("button", { name: /Resolve|Suppress|Split/ }).count()).toBe(0);
  await page.keyboard.press("e");
  await page.goto(`${console().platform.baseUrl}/${ERRORS}/rules`);
  await page.getByText("No grouping rule yet.").waitFor();
  expect(await page.getByRole("button", { name: /rule/ }).count()).toBe(0);
});

describe("pages without a fault of accessibility, in both themes", () => {
  it.each(["", "?chosen=none", "/releases", "/symbol-sets", "/spikes", "/alerts", "/rules", "/rules?kind=severity&rule=new"])(
    "errors%s",
    async (path) => {
      const page = await console().open(`${ERRORS}${path}`);
      await page.getByRole("heading", { name: "Errors" }).waitFor();
      await expect.poll(() => page.locator("[aria-busy]").count()).toBe(0);
      expect(await accessibilityFaults(page)).toEqual([]);
    },
  );

  it("an issue", async () => {
    const page = await console().open(ERRORS);
    await issueLink(page, "TypeError").click();
    await page.getByText("return sum - discount.total;").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
  });
});

it("asks nothing of an organization for a key of a single project, which would be refused", async () => {
  const { open, platform, key } = console();
  const body = { label: "one project", scopes: ["*"], scoped_teams: [1] };
  const made = await apiClient(platform.baseUrl, key).post("/api/personal_api_keys/", body);
  const page = await open(ERRORS, { key: Object(made.body).value });
  await issueLink(page, "TypeError").click();
  await page.getByLabel("Assignee").waitFor();
});
