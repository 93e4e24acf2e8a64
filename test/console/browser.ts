import chromium from "@sparticuz/chromium";
import { type Browser, chromium as playwright } from "playwright-core";

/** As a browser runs on a desk, without a screen: the package's own arguments are for a function, and switch off what protects pages. */
const ARGUMENTS = ["--headless=shell", "--no-sandbox", "--disable-gpu"];

/** A Chromium out of the packages alone; it is unpacked where it is first started. */
export const openBrowser = async (): Promise<Browser> =>
  playwright.launch({ executablePath: await chromium.executablePath(), args: ARGUMENTS, headless: true });
