import { Worker } from "node:worker_threads";
import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { apiClient } from "../support/api-client.ts";
import { openPage } from "../support/processes/browser.ts";
import { type ATenant, aPlatform, aTenant, eventually } from "../support/processes/platform.ts";
import { type RecordingProxy, recordingProxy } from "../support/processes/recording-proxy.ts";
import { type ShopPage, shopPage } from "../support/processes/shop-page.ts";
import { buildShop } from "../support/symbols/shop-bundle.ts";
import { sourceAndMap } from "../support/symbols/symbol-file.ts";
import { uploadSets } from "../support/symbols/upload.ts";

const platform = aPlatform();
const CHUNK = "0197c7f2-6f0e-7c1e-9a8f-5d1b8f6f9e13";
const BUDGET = { everyMs: 500 };

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

interface Visit {
  readonly tenant: ATenant;
  readonly proxy: RecordingProxy;
  readonly page: ShopPage;
}

/** `below`: the path that a gateway's address ends in. */
const aVisit = async (below = ""): Promise<Visit> => {
  const tenant = await aTenant(platform().world);
  const proxy = await recordingProxy(() => platform().ingestUrl, below);
  const built = await buildShop(CHUNK);
  await uploadSets(apiClient(platform().baseUrl, tenant.personalKey), tenant.projectId, { [CHUNK]: sourceAndMap(built) });
  const page = await shopPage(tenant.projectToken, proxy.address, built.code);
  closing.push(proxy.close, page.close);
  return { tenant, proxy, page };
};

const Answer = z.object({ results: z.array(z.array(z.unknown())) });

const QUERY =
  "SELECT event, count(), uniq(distinct_id), max(elements_chain LIKE '%button%' AND elements_chain LIKE '%Buy%'), max(properties.$current_url LIKE 'http://127.0.0.1%') FROM events GROUP BY event ORDER BY event";

const stored = async ({ tenant }: Visit): Promise<readonly unknown[]> => {
  const base = `${platform().baseUrl}/api/projects/${tenant.projectId}/endpoints/`;
  const headers = { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" };
  await fetch(base, { method: "POST", headers, body: JSON.stringify({ name: "visit", query: { kind: "HogQLQuery", query: QUERY } }) });
  const reply = await fetch(`${base}visit/run/`, { method: "POST", headers, body: '{"refresh":"force"}' });
  return Answer.parse(await reply.json()).results;
};

const Issues = z.object({ results: z.array(z.looseObject({ id: z.string(), name: z.string(), description: z.string() })) });
const Frames = z.object({
  results: z.array(z.looseObject({ contents: z.looseObject({ resolved_name: z.string(), source: z.string(), line: z.number() }) })),
});

/** The issues of the visit, and the places in the sources that the uncaught error came by. */
const failures = async ({ tenant }: Visit) => {
  const api = apiClient(platform().baseUrl, tenant.personalKey);
  const base = `/api/projects/${tenant.projectId}/error_tracking`;
  const issues = Issues.parse((await api.get(`${base}/issues/`)).body).results.map(({ name, description }) => `${name}: ${description}`);
  const { results } = Frames.parse((await api.post(`${base}/stack_frames/batch_get/`, {})).body);
  const places = results.map(({ contents: { resolved_name, source, line } }) => `${resolved_name} ${source}:${line}`);
  return { issues, places: places.filter((place) => place.includes("src/")).sort() };
};

/** The visit, as it can be queried: one row for each name. */
const VISITED = [
  ["$autocapture", 1, 1, true, true],
  ["$exception", 1, 1, false, true],
  ["$groupidentify", 1, 1, false, true],
  ["$identify", 1, 1, false, true],
  ["$pageleave", 1, 1, false, true],
  ["$pageview", 1, 1, false, true],
  ["bought", 1, 1, false, true],
  ["came back", 1, 1, false, true],
];

/** A document without a browser has no layout, so the SDK takes no click in it for one. */
const WITHOUT_CLICK = VISITED.filter(([event]) => event !== "$autocapture");

const expectVisit = async (visit: Visit, expected: readonly unknown[]): Promise<void> => {
  await eventually(async () => expect(await stored(visit)).toEqual(expected), BUDGET);
  const { requests } = visit.proxy;
  expect(requests.filter(({ status, allowedOrigin }) => status >= 400 || allowedOrigin === null)).toEqual([]);
  const paths = new Set(requests.map(({ path }) => path));
  for (const path of [
    ...["/static/array.js", `/array/${visit.tenant.projectToken}/config.js`, "/i/v0/e/"],
    ...["/api/surveys/", "/api/early_access_features/"],
  ])
    expect(paths).toContain(path);
  for (const script of ["exception-autocapture.js", "toolbar.js"])
    expect([...paths].filter((path) => path.startsWith("/static/") && path.endsWith(`/${script}`)).length).toBe(1);
  expect(await visit.page.report).toBe("[]");
};

describe("posthog-js by its snippet, on a page of another origin", () => {
  test.each([
    ["at the root of a domain", ""],
    ["below the path of a stage", "/v1"],
  ])("captures pageview, person, group and leaving, and no request fails, in a document without a browser, %s", async (_, below) => {
    const visit = await aVisit(below);
    const page = new Worker(new URL("../support/processes/page-thread.ts", import.meta.url), { workerData: visit.page.url });
    closing.push(() => page.terminate());
    await visit.page.report;
    page.postMessage("leave");
    await expectVisit(visit, WITHOUT_CLICK);
  });

  test("does the same and captures the click in a browser", async () => {
    const visit = await aVisit();
    const browser = await openPage(visit.page.url);
    closing.push(browser.close);
    await visit.page.left;
    await expectVisit(visit, VISITED);
    // The error that nobody catches, and not a word more.
    expect(browser.said).toEqual(["Uncaught RangeError: declined"]);
    expect(await failures(visit)).toEqual({
      issues: ["RangeError: declined"],
      places: ["_charge src/checkout.ts:12", "handlePay src/checkout.ts:19", "pay src/checkout.ts:8", "tooMuch src/checkout.ts:22"],
    });
  });
});
