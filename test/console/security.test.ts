import { once } from "node:events";
import { createServer } from "node:http";
import { expect, it } from "vitest";
import { aConsole } from "./console.ts";

const console = aConsole();

it("puts no key into an address, sends it to its own host alone, and stores nothing else of it", async () => {
  const { open, key, platform } = console();
  const page = await open("");
  const asked: { readonly url: string; readonly authorization: string | undefined }[] = [];
  page.on("request", (request) => asked.push({ url: request.url(), authorization: request.headers().authorization }));
  const views = page.getByRole("navigation", { name: "Views" }).getByRole("link");
  await views.first().waitFor();
  for (const view of await views.all()) {
    await view.click();
    await page.locator("main h1").waitFor();
    expect(page.url()).not.toContain(key);
  }
  expect(asked.length).toBeGreaterThanOrEqual(7);
  expect(asked.filter(({ url }) => !url.startsWith(platform.baseUrl) || url.includes("phx_"))).toEqual([]);
  expect(asked.some(({ authorization }) => authorization === `Bearer ${key}`)).toBe(true);
  const kept = await page.evaluate(() => Object.values({ ...localStorage }).join());
  expect(kept).not.toContain("phx_");
});

it("runs no script that is written into the page", async () => {
  const page = await console().open("", { refusals: true });
  await page.locator("main h1").waitFor();
  const refused = page.waitForEvent("console", (message) => /Content Security Policy/.test(message.text()));
  const ran = await page.evaluate(`{
    const script = document.createElement("script");
    script.textContent = "globalThis.ran = true";
    document.body.append(script);
    "ran" in globalThis;
  }`);
  expect(ran).toBe(false);
  await refused;
  console().forgive(/Content Security Policy/);
});

it("is framed by nobody", async () => {
  const { platform, open, forgive } = console();
  const framing = createServer((_, reply) => {
    reply.setHeader("content-type", "text/html");
    reply.end(`<iframe src="${platform.baseUrl}/"></iframe>`);
  });
  await once(framing.listen(0, "127.0.0.1"), "listening");
  const address = framing.address();
  const page = await open("", { key: null });
  await page.goto(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`);
  const [, frame] = page.frames();
  expect(await frame?.locator("main").count()).toBe(0);
  expect(frame?.url()).toMatch(/^chrome-error:/);
  forgive(/frame-ancestors|X-Frame-Options/);
  framing.closeAllConnections();
  framing.close();
});
