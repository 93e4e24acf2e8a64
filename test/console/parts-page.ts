import type { BrowserContext, Page } from "playwright-core";
import { buildConsole } from "../../functions/console/build.ts";
import { consoleFiles } from "../../lib/console/files.ts";
import { consolePage } from "../../lib/console/page.ts";

const ORIGIN = "http://parts.test";

/** A page with every state of every part of the console, under the console's own policy; nothing is asked for over a network. */
export const openParts = async (context: BrowserContext): Promise<Page> => {
  const files = await consoleFiles(await buildConsole({ script: "parts/states.tsx", style: "page/style.css" }));
  const { body, headers } = await consolePage({ method: "GET", path: "/" }, async () => files);
  await context.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/") return route.fulfill({ body: String(body), headers });
    const name = pathname.slice("/console/".length);
    const file = files.byName.get(name);
    if (file === undefined) return route.fulfill({ status: 404 });
    const contentType = name.endsWith(".css") ? "text/css" : name.endsWith(".svg") ? "image/svg+xml" : "text/javascript";
    return route.fulfill({ body: Buffer.from(file.plain), contentType });
  });
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/`);
  await page.locator("main h2").first().waitFor();
  return page;
};
