import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** As a browser runs on a desk, without a screen: the package's own arguments are for a function, and switch off what protects pages. */
const ARGUMENTS = ["--headless=shell", "--no-sandbox", "--disable-gpu"];

/** How long a page is waited for: a net, as no verdict may hang on how fast the machine is. */
export const PATIENCE_MS = 120_000;

/** A Chromium out of the packages alone; it is unpacked where it is first started. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({
    executablePath: await chromium.executablePath(),
    args: ARGUMENTS,
    headless: true,
    // A machine whose language is "POSIX" gives pages a language that no browser on a desk has.
    env: { ...process.env, LANG: "en_US.UTF-8", LANGUAGE: "en_US", LC_ALL: "en_US.UTF-8" },
  });

export interface OpenedPage {
  /** What the page wrote on its console, and what the browser says of requests that failed, a line each. */
  readonly said: readonly string[];
  close(): Promise<void>;
}

/** Opens an address in a browser of its own. */
export const openPage = async (url: string): Promise<OpenedPage> => {
  const browser = await openBrowser();
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("pageerror", (error) => said.push(`Uncaught ${error.name}: ${error.message}`));
  await page.goto(url, { waitUntil: "commit" });
  return { said, close: () => browser.close() };
};
