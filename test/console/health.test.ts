import { SQSClient } from "@aws-sdk/client-sqs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readRunning } from "../../infra/local/stores/lock.ts";
import { deadLetterUrls } from "../../infra/local/stores/queue-and-objects.ts";
import { embedded } from "../../infra/local/world.ts";
import { sqsQueues } from "../../lib/aws/aws-queues.ts";
import { SCOPES } from "../../lib/keys/scopes.ts";
import { challengeName } from "../../lib/organizations/domains.ts";
import { apiClient } from "../support/api-client.ts";
import { keptLog } from "../support/kept-log.ts";
import { aTenant, eventually } from "../support/processes/platform.ts";
import { messageOf } from "../support/samples/capture-messages.ts";
import { aConsole, accessibilityFaults } from "./console.ts";

/** All that the platform logs, its every line. */
const logged: string[] = [];
beforeAll(() => {
  vi.stubEnv("LOG", "all");
  vi.spyOn(process.stderr, "write").mockImplementation((line) => logged.push(String(line)) > 0);
});
afterAll(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const console = aConsole();

const api = (key = console().key) => apiClient(console().platform.baseUrl, key);

/** The status with which the API takes a key. */
const statusWith = async (key: string): Promise<number> => (await api(key).get("/api/personal_api_keys/@current/")).status;

/** A further personal key of the demo's owner. */
const aKey = async (label: string, scopes: readonly string[]): Promise<string> => {
  const body = { label, scopes, scoped_teams: null, scoped_organizations: null };
  return String(Object((await api().post("/api/personal_api_keys/", body)).body).value);
};

const shownValue = async (page: Page): Promise<string> =>
  (await page.getByRole("region", { name: "New value" }).locator("code").textContent()) ?? "";

const tabs = (page: Page): Promise<readonly string[]> =>
  page.getByRole("navigation", { name: "Health" }).getByRole("link").allTextContents();

/** Every address that a page asks for from now on, its own included. */
const addresses = (page: Page): readonly string[] => {
  const seen: string[] = [];
  page.on("request", (request) => seen.push(request.url()));
  page.on("framenavigated", (frame) => seen.push(frame.url()));
  return seen;
};

/** Puts messages where those end that were given up on. */
const giveUpOn = async (...bodies: readonly string[]): Promise<void> => {
  const store = readRunning(console().platform.dataDir)?.store ?? "";
  const letters = sqsQueues(new SQSClient(embedded(store)), deadLetterUrls(store), keptLog());
  const failed = await letters.send(
    "live",
    bodies.map((body, id) => ({ id: String(id), body })),
  );
  expect(failed).toEqual([]);
};

const anEvent = async (): Promise<string> => {
  const { organizations } = Object((await api().get("/api/personal_api_keys/@current/")).body);
  const place = { project: 1, organization: organizations[0].id, received: String(Date.now() * 1_000) };
  return messageOf([{ event: "returned", distinct_id: "ana" }], place);
};

it.each(["", "/types", "/keys", "/keys?make=personal", "/members", "/domains"])(
  "health%s is fit for everybody, in both themes",
  async (path) => {
    const page = await console().open(`project/1/health${path}`);
    await page.getByRole("navigation", { name: "Health" }).waitFor();
    await page.getByRole("main").locator("[aria-busy]").first().waitFor({ state: "detached" });
    expect(await accessibilityFaults(page)).toEqual([]);
  },
);

describe("now", () => {
  it("says in the API's own sentence how it is, and what waits", async () => {
    const page = await console().open("project/1/health");
    await page.getByText(/^All events are stored/).waitFor();
    expect(await page.getByRole("table").first().getByRole("row").allTextContents()).toEqual([
      expect.stringContaining("Dead letters"),
      expect.stringMatching(/^live.*\d+$/),
      expect.stringMatching(/^historical.*\d+$/),
      expect.stringMatching(/^jobs.*\d+$/),
    ]);
    expect(await page.getByRole("button", { name: /^Redrive/ }).count()).toBe(0);
  });

  it("sends dead letters back, for those who may, and then says that all is well", async () => {
    const [reader, member] = [await aKey("reader", ["project:read"]), await aTenant(console().platform.world, { level: "member" })];
    await giveUpOn(await anEvent());
    const sentence = "1 message of the live lane could not be stored";
    for (const [key, project] of [
      [reader, 1],
      [member.personalKey, member.projectId],
    ] as const) {
      const page = await console().open(`project/${project}/health`, { key });
      await page.getByText(sentence).waitFor();
      expect(await page.getByRole("button", { name: /^Redrive/ }).count()).toBe(0);
    }
    const page = await console().open("project/1/health");
    await page.getByText(sentence).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Redrive the live lane" }).click();
    await page.getByText("1 message was sent back to the live lane.").waitFor();
    await page.getByText(/^(All events are stored|Events are on their way)/).waitFor();
  });
});

describe("types", () => {
  it("shows the values that do not fit, and finds a property by a part of its name", async () => {
    const batch = [...Array(12).keys(), "heavy"].map((weight, index) => ({
      event: "weighed",
      distinct_id: `p${index}`,
      properties: { weight },
    }));
    const { baseUrl } = console().platform;
    const headers = { "content-type": "application/json" };
    const sent = await fetch(`${baseUrl}/batch/`, { method: "POST", headers, body: JSON.stringify({ api_key: console().token, batch }) });
    expect(sent.status).toBe(200);
    await eventually(async () =>
      expect(Object((await api().get("/api/projects/1/health/")).body).misfits).toMatchObject([{ property: "weight" }]),
    );
    const page = await console().open("project/1/health/types");
    await page.getByRole("link", { name: "weight" }).click();
    await page.getByText('"heavy"', { exact: true }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByLabel("Name holds").fill("EIGH");
    await page.waitForURL(/search=EIGH/);
    const properties = page.getByRole("group", { name: "Properties", exact: true });
    await eventually(async () => expect(await properties.getByRole("row").allTextContents()).toEqual(["NameType", "weightNumeric"]));
  });
});

describe("keys", () => {
  it("a key is made with scopes that are chosen, shown once, rolled and revoked", async () => {
    const page = await console().open("project/1/health/keys");
    const seen = addresses(page);
    await page.getByRole("link", { name: "New personal key" }).click();
    await page.getByLabel("Label").fill("office");
    await page.getByLabel("endpoint:write").check();
    expect(await page.getByLabel("endpoint:read").isChecked()).toBe(true);
    await page.getByLabel("query:read").check();
    await page.getByRole("button", { name: "Make the personal key" }).click();
    const first = await shownValue(page);
    expect(await api(first).get("/api/personal_api_keys/@current/")).toMatchObject({
      status: 200,
      body: { label: "office", scopes: ["endpoint:write", "query:read"], scoped_teams: [1] },
    });
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Hide it" }).click();
    expect(await page.content()).not.toContain(first);

    await page.getByRole("button", { name: "Roll office" }).click();
    expect(await statusWith(first)).toBe(200);
    await page.getByRole("button", { name: "Roll", exact: true }).click();
    await page.getByText("The value before opens nothing.").waitFor();
    const second = await shownValue(page);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);

    await page.getByRole("button", { name: "Revoke office" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByRole("button", { name: "Revoke office" }).waitFor({ state: "detached" });
    await page.getByText("office").first().waitFor();
    expect(await statusWith(second)).toBe(401);

    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    const everything = [kept, page.url(), ...seen, ...logged].join("\n");
    expect(seen.length).toBeGreaterThan(5);
    expect(logged.length).toBeGreaterThan(5);
    for (const value of [first, second]) expect(everything.includes(value)).toBe(false);
  });

  it("offers the scopes that the platform knows", async () => {
    const page = await console().open("project/1/health/keys?make=personal");
    const boxes = page.locator("fieldset input[aria-label]");
    await boxes.first().waitFor();
    expect(await boxes.evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")))).toEqual(SCOPES);
  });

  it("a secret key of the project is made, rolled and revoked", async () => {
    const page = await console().open("project/1/health/keys?make=secret");
    await page.getByLabel("Label").fill("backend");
    await page.getByLabel("endpoint:read").check();
    await page.getByRole("button", { name: "Make the secret key" }).click();
    const run = async (key: string) => (await api(key).post("/api/projects/1/endpoints/events-by-day/run/", {})).status;
    const first = await shownValue(page);
    expect(await run(first)).toBe(200);
    await page.getByRole("button", { name: "Roll backend" }).click();
    await page.getByRole("button", { name: "Roll", exact: true }).click();
    await page.getByText("The value before opens nothing.").waitFor();
    const second = await shownValue(page);
    expect([await run(first), await run(second)]).toEqual([401, 200]);
    await page.getByRole("button", { name: "Revoke backend" }).click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByRole("button", { name: "Revoke backend" }).waitFor({ state: "detached" });
    expect(await run(second)).toBe(401);
  });

  it("says at its place what is wrong with a label", async () => {
    const page = await console().open("project/1/health/keys?make=personal", { refusals: true });
    await page.getByLabel("Label").fill("x".repeat(41));
    await page.getByLabel("query:read").check();
    await page.getByRole("button", { name: "Make the personal key" }).click();
    await eventually(async () => expect(await page.getByLabel("Label").getAttribute("aria-invalid")).toBe("true"));
  });

  it("a session goes on with the new value of its own key, and ends when that is revoked", async () => {
    const own = await aKey("own", ["*"]);
    const page = await console().open("project/1/health/keys", { key: own });
    await page.getByRole("button", { name: "Roll own" }).click();
    await page.getByText("this session goes on with the new one").waitFor();
    await page.getByRole("button", { name: "Roll", exact: true }).click();
    const rolled = await shownValue(page);
    expect([await statusWith(own), await statusWith(rolled)]).toEqual([401, 200]);
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("cell", { name: "demo@example.com" }).waitFor();
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("button", { name: "Revoke own" }).click();
    await page.getByText("you will be signed out").waitFor();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("The key of this session was revoked.").waitFor();
    expect(await statusWith(rolled)).toBe(401);
    expect(await page.evaluate(() => JSON.stringify([sessionStorage, localStorage]))).not.toContain("phx_");
  });
});

describe("rights", () => {
  it.each<[readonly string[], readonly string[]]>([
    [["project:read"], ["Now", "Types"]],
    [
      ["project:read", "personal_api_key:read"],
      ["Now", "Types", "Keys"],
    ],
    [
      ["project:read", "organization_member:read", "organization:read"],
      ["Now", "Types", "Members", "Domains"],
    ],
  ])("a key with %j sees no more tabs than it may, and no buttons", async (scopes, shown) => {
    const page = await console().open("project/1/health", { key: await aKey(`with ${scopes.length}`, scopes) });
    await page.getByText(/^All events are stored/).waitFor();
    expect(await tabs(page)).toEqual(shown);
    for (const name of shown) {
      await page.getByRole("navigation", { name: "Health" }).getByRole("link", { name }).click();
      await page.getByRole("main").locator("[aria-busy]").first().waitFor({ state: "detached" });
      const buttons = await page.getByRole("main").getByRole("button").allTextContents();
      expect(buttons.filter((text) => text !== "Copy" && text !== "curl of this view")).toEqual([]);
      expect(await page.getByRole("link", { name: /^New / }).count()).toBe(0);
    }
    await page.close();
    const missing = shown.includes("Keys") ? "members" : "keys";
    const refused = await console().open(`project/1/health/${missing}`, { key: await aKey(`again ${scopes.length}`, scopes) });
    await refused.getByText("This key may not see this.").waitFor();
  });
});

describe("domains", () => {
  it("is named, verified by the record that is shown, set and deleted", async () => {
    const records = new Map<string, readonly string[]>();
    vi.spyOn(console().platform.world.dns, "texts").mockImplementation(async (name) => records.get(name) ?? []);
    const page = await console().open("project/1/health/domains");
    await page.getByLabel("Another domain").fill("shop.example");
    await page.getByRole("button", { name: "Add" }).click();
    await page.waitForURL(/\/health\/domains\/[0-9a-f-]{36}$/);
    await page.getByRole("heading", { name: "shop.example" }).waitFor();
    const [name = "", value = ""] = (await page.locator("dd code").allTextContents()).slice(1);
    expect(name).toBe(challengeName("shop.example"));
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Verify" }).click();
    await page.getByText("The record is not there yet.").waitFor();
    records.set(name, [value]);
    await page.getByRole("button", { name: "Verify" }).click();
    const joins = page.getByLabel("People of this domain join by themselves");
    await joins.check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "by themselves" }).waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    await page.getByRole("button", { name: "Delete shop.example" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("The organization has named no domain.").waitFor();
  });
});
