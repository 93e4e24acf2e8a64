import { createServer, type ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { World } from "../../lib/app/world.ts";
import { readConfig } from "../../lib/ports/config.ts";
import type { CountName } from "../../lib/ports/counts.ts";
import { aPlatform, aTenant } from "../../test/support/processes/platform.ts";
import { followCanary } from "./follow.ts";

const platform = aPlatform();

/** What a canary of these settings counted and wrote. */
const followed = async (settings: Readonly<Record<string, string>>, askedAfterMs?: readonly number[]) => {
  const counted: CountName[] = [];
  const lines: string[] = [];
  const world: Pick<World, "config" | "ids" | "counts" | "log"> = {
    config: readConfig((field) => settings[field]),
    ids: platform().world.ids,
    counts: { add: async (name) => void counted.push(name) },
    log: { line: (_level, event) => void lines.push(event) },
  };
  await followCanary(world, askedAfterMs);
  return { counted, lines };
};

describe("an event of the platform's own", () => {
  it("is sent as an SDK does, and seen by a query with a key of its project", async () => {
    const { projectToken, personalKey } = await aTenant(platform().world);
    const { ingestUrl, baseUrl } = platform();
    const asked = Array.from({ length: 200 }, (_, times) => 100 * (times + 1));
    const found = await followed({ canary: projectToken, canaryKey: personalKey, ingestUrl, baseUrl }, asked);
    expect(found).toEqual({ counted: [], lines: ["canary.seen"] });
  });

  it("is counted where no query sees it, whatever the queries are answered", async () => {
    const { projectToken } = await aTenant(platform().world);
    const { ingestUrl, baseUrl } = platform();
    const found = await followed({ canary: projectToken, canaryKey: "phx_nobody", ingestUrl, baseUrl }, [0, 0]);
    expect(found).toEqual({ counted: ["AcceptedNotQueryable"], lines: ["canary.missing"] });
  });

  it.each([
    ["no answer in time", (response: ServerResponse) => void setTimeout(() => response.writeHead(504).end("timeout"), 250), 2],
    ["no answer at all", (response: ServerResponse) => void response.destroy(), 3],
  ])("is counted where queries get %s, before its function is out of time", async (_, answer, most) => {
    let queries = 0;
    const host = createServer((request, response) => {
      request.resume();
      if (request.url === "/batch/") return void response.end("{}");
      queries += 1;
      answer(response);
    });
    await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${Object(host.address()).port}`;
    const asked = [10, 130, 260];
    const found = await followed({ canary: "phc_x", canaryKey: "phx_x", ingestUrl: url, baseUrl: url }, asked);
    host.closeAllConnections();
    host.close();
    expect(found).toEqual({ counted: ["AcceptedNotQueryable"], lines: ["canary.missing"] });
    expect(queries).toBeLessThanOrEqual(most);
  });

  it("fails where the ingest host does not take it", async () => {
    const { ingestUrl, baseUrl } = platform();
    await expect(followed({ canary: "phc_nobody", canaryKey: "phx_x", ingestUrl, baseUrl })).rejects.toThrow("an event with 401");
  });

  it("is none in a stage without a token for it", async () => {
    expect(await followed({})).toEqual({ counted: [], lines: [] });
  });
});
