import { describe, expect, it } from "vitest";
import { aPlatform } from "../../support/processes/platform.ts";

const platform = aPlatform();

const page = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const ask = (path: string, init: RequestInit = {}) => fetch(`${platform().baseUrl}${path}`, { redirect: "manual", ...init });

const filesOf = (html: string): readonly string[] => [...html.matchAll(/(?:src|href)="(console\/[^"]+)"/g)].map(([, name = ""]) => name);

describe("the console's page", () => {
  it.each(["/", "/project/1", "/project/1/endpoints/daily-views", "/project/1/errors/?status=active", "/organization/billing?team_id=1"])(
    "answers at %s",
    async (path) => {
      const reply = await ask(path, { headers: page });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const html = await reply.text();
      const base = new URL(/<base href="([^"]+)"/.exec(html)?.[1] ?? "", reply.url);
      expect(base.href).toBe(`${platform().baseUrl}/`);
    },
  );

  it("loads only from its own host, runs nothing that is written into it, and is framed by nobody", async () => {
    const { headers } = await ask("/", { headers: page });
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    const html = await (await ask("/", { headers: page })).text();
    expect(html).not.toMatch(/<style|\son\w+=|<script(?![^>]* src=)|https?:\/\//);
  });

  it("leaves everything but pages to the SDKs at the root", async () => {
    const plain = await ask("/");
    expect([plain.status, await plain.text()]).toEqual([200, "capture"]);
    const posted = await ask("/", { method: "POST", headers: page, body: "{}" });
    expect(posted.headers.get("content-type")).toMatch(/^text\/plain/);
  });

  it("is not found below /project by who does not want a page", async () => {
    const reply = await ask("/project/1/live", { headers: { accept: "application/json" } });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ code: "not_found" });
  });

  it("tells HEAD what GET would send, and refuses to be written", async () => {
    const head = await ask("/project/1", { method: "HEAD", headers: page });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const posted = await ask("/project/1", { method: "POST", headers: page });
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });
});

describe("the console's files", () => {
  it("are those that the page names, for ever under their names", async () => {
    const names = filesOf(await (await ask("/", { headers: page })).text());
    expect(names.length).toBeGreaterThanOrEqual(3);
    for (const name of names) {
      const file = await ask(`/${name}`);
      expect([name, file.status]).toEqual([name, 200]);
      expect(file.headers.get("cache-control")).toBe(
        name.endsWith(".svg") ? "public, max-age=86400" : "public, max-age=31536000, immutable",
      );
      expect(file.headers.get("content-type")).toMatch(/javascript|css|svg/);
      const again = await ask(`/${name}`, { headers: { "if-none-match": file.headers.get("etag") ?? "" } });
      expect(again.status).toBe(304);
    }
  });

  it.each(["main.js", "..%2f..%2fpackage.json", "beginning.json"])("are no other files: %s", async (name) => {
    expect((await ask(`/console/${name}`)).status).toBe(404);
  });
});
