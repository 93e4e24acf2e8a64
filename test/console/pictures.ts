import type { Page } from "playwright-core";
import * as z from "zod";

/** A view to take a picture of, with the demo's data. */
interface Picture {
  readonly name: string;
  /** Below the root. */
  readonly address: string;
  readonly signedIn?: boolean;
  /** Brings the page to where it is worth a picture. */
  prepare?(page: Page): Promise<void>;
}

/** The demo's dashboard, with one of its buttons pressed. */
const openOverview = async (page: Page, button?: string): Promise<void> => {
  await page.getByRole("link", { name: "Overview" }).click();
  if (button) await page.getByRole("button", { name: button, exact: true }).click();
  await page.locator("figure.plot").first().waitFor();
};

/** The demo's dashboard as visitors of a public link see it. */
const openShared = async (page: Page): Promise<void> => {
  await openOverview(page);
  const { origin, pathname } = new URL(page.url());
  const key = await page.evaluate(() => sessionStorage.getItem("analytics-key"));
  const sharing = `${origin}/api/projects/1/dashboards/${pathname.split("/").at(-1)}/sharing/`;
  const reply = await page.request.post(sharing, { headers: { authorization: `Bearer ${key}` } });
  await page.goto(Link.parse(await reply.json()).url);
  await page.locator("figure.plot").first().waitFor();
};

const Link = z.object({ url: z.string() });

const openIssue = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: /TypeError/ }).click();
  await page.getByRole("heading", { level: 1, name: /TypeError/ }).waitFor();
};

const SQL =
  "SELECT toDate(timestamp) AS day, count() AS views, uniq(person_id) AS people\nFROM events\nWHERE event = '$pageview'\nGROUP BY day\nORDER BY day";

/** Every view, in the order of the navigation. */
export const PICTURES: readonly Picture[] = [
  { name: "sign-in", address: "", signedIn: false },
  { name: "live", address: "project/1/live" },
  { name: "ask", address: `project/1/ask?q=${encodeURIComponent(SQL)}` },
  { name: "ask-retention", address: "project/1/ask?kind=retention", prepare: (page) => page.getByRole("button", { name: "Run" }).click() },
  { name: "endpoints", address: "project/1/endpoints" },
  { name: "endpoint-run", address: "project/1/endpoints/events-by-day/run?run=1" },
  { name: "endpoint-query", address: "project/1/endpoints/events-by-day/query" },
  { name: "endpoint-table", address: "project/1/endpoints/events-by-day/table" },
  { name: "endpoint-log", address: "project/1/endpoints/events-by-day/log" },
  { name: "endpoint-use", address: "project/1/endpoints/events-by-day/use" },
  { name: "dashboards", address: "project/1/dashboards" },
  { name: "dashboard", address: "project/1/dashboards", prepare: (page) => openOverview(page) },
  { name: "dashboard-edit", address: "project/1/dashboards", prepare: (page) => openOverview(page, "Edit") },
  { name: "shared", address: "project/1/dashboards", prepare: openShared },
  { name: "errors", address: "project/1/errors" },
  { name: "issue", address: "project/1/errors", prepare: openIssue },
  { name: "releases", address: "project/1/errors/releases" },
  { name: "rules", address: "project/1/errors/rules" },
  { name: "usage", address: "project/1/usage" },
  { name: "usage-series", address: "project/1/usage/series" },
  { name: "invoices", address: "project/1/usage/invoices" },
  { name: "plan", address: "project/1/usage/plan" },
  { name: "alerts", address: "project/1/usage/alerts" },
  { name: "llm", address: "project/1/usage/llm" },
  { name: "health", address: "project/1/health" },
  { name: "types", address: "project/1/health/types" },
  { name: "keys", address: "project/1/health/keys" },
  { name: "members", address: "project/1/health/members" },
  { name: "domains", address: "project/1/health/domains" },
];
