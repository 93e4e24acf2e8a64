import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { type Platform, startPlatform } from "../../infra/local/platform.ts";
import { apiClient } from "../support/api-client.ts";
import { openBrowser, PATIENCE_MS } from "../support/processes/browser.ts";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

export interface ConsoleUnderTest {
  readonly platform: Platform;
  readonly key: string;
  readonly token: string;
  /** A page of a person of their own, at an address of the console; with a key they are signed in. */
  open(path?: string, options?: OpenOptions): Promise<Page>;
  /** A further personal key of the demo's owner, with these scopes. */
  keyWith(...scopes: readonly string[]): Promise<string>;
  /** Takes lines of the browser's console back that a test provoked. */
  forgive(lines: RegExp): void;
}

interface OpenOptions extends BrowserContextOptions {
  /** The demo's owner when it is left out; nobody where it is null. */
  readonly key?: string | null;
  /** The browser writes a line for each refusal of the API; where some are expected, they are let pass. */
  readonly refusals?: boolean;
}

const REFUSAL = /^error: Failed to load resource: the server responded with a status of 4\d\d/;

/** What a page told its developer, which nobody should have to read. */
const heard: string[] = [];

/** A platform with the demo's data and a browser, for the tests of a file. After each test its pages are closed and must have said nothing. */
export const aConsole = (): (() => ConsoleUnderTest) => {
  let folder = "";
  let platform: Platform | undefined;
  let browser: Browser | undefined;
  let credentials = { personal_api_key: "", project_token: "" };

  // A busy machine takes long for a run, and pages ask for several at once: one that is refused for that says nothing of the page.
  vi.stubEnv("CONCURRENT_RUNS", "100");
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "console-"));
    [platform, browser] = await Promise.all([startPlatform({ port: 0, host: "127.0.0.1", dataDir: folder, empty: false }), openBrowser()]);
    credentials = JSON.parse(await readFile(join(folder, "credentials.json"), "utf8"));
  });
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
    expect(heard.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await platform?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  return () => {
    if (!platform || !browser) throw new Error("the console is asked for before it runs");
    const [running, { baseUrl }] = [browser, platform];
    const { personal_api_key: owner, project_token: token } = credentials;
    return {
      platform,
      key: owner,
      token,
      async keyWith(...scopes) {
        const body = { label: scopes.join(" ").slice(0, 40), scopes, scoped_teams: null, scoped_organizations: null };
        const made = await apiClient(baseUrl, owner).post("/api/personal_api_keys/", body);
        expect(made).toMatchObject({ status: 201, body: { value: expect.stringMatching(/^phx_/) } });
        return Object(made.body).value;
      },
      forgive(lines) {
        heard.splice(0, heard.length, ...heard.filter((line) => !lines.test(line)));
      },
      async open(path = "", { key = owner, refusals = false, ...options } = {}) {
        const context = await running.newContext({
          viewport: { width: 1280, height: 800 },
          locale: "en-US",
          permissions: ["clipboard-write"],
          ...options,
        });
        context.setDefaultTimeout(PATIENCE_MS);
        const page = await context.newPage();
        page.on("console", (message) => {
          const line = `${message.type()}: ${message.text()}`;
          if (!refusals || !REFUSAL.test(line)) heard.push(line);
        });
        page.on("pageerror", ({ message }) => heard.push(message));
        if (key !== null) await page.addInitScript((value) => sessionStorage.setItem("analytics-key", value), key);
        await page.goto(`${baseUrl}/${path}`);
        return page;
      },
    };
  };
};

/** What axe finds wrong with a page as it is now, a line each; in both themes. */
export const accessibilityFaults = async (page: Page): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    // The page's own policy forbids scripts that are written into it, so axe comes as the browser's own.
    await page.evaluate(await axeSource());
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      return (await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })).violations;
    });
    found.push(...violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(" | ")}`));
  }
  return found;
};

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

let source: Promise<string> | undefined;

const axeSource = (): Promise<string> => (source ??= readFile(AXE, "utf8"));
