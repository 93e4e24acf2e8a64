import type { Browser, Page } from "playwright-core";
import { type Figure, median } from "../figures.ts";

const ROUNDS = 9;
const KB = 1_000;
const MOST_MS = 1_000;

export interface ShownConsole {
  readonly browser: Browser;
  readonly url: string;
  readonly projectId: number;
  readonly key: string;
}

/** How long a person waited at one visit, and for what; times in milliseconds from the moment that the address was asked for. */
interface Visit {
  readonly paintMs: number;
  readonly contentMs: number;
  readonly bytes: number;
  readonly layoutShift: number;
}

/**
 * Visits of people whose browser has nothing of the console yet, one after another. The first of all follows the platform's start, which
 * answers nobody before; it is a figure of its own.
 */
export const firstViews = async ({ browser, url, projectId, key }: ShownConsole): Promise<readonly Figure[]> => {
  const live = (): Promise<Visit> => visit(browser, `${url}/project/${projectId}/live`, "tbody tr", key);
  // A browser that has just started is slow by itself.
  await visit(browser, "data:text/html,<p>a page</p>", "p");
  const first = await live();
  const lives: Visit[] = [];
  const signIns: Visit[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    lives.push(await live());
    signIns.push(await visit(browser, `${url}/`, ".sign-in > button"));
  }
  return [
    {
      name: "console.first_view_ms",
      value: medianBy(lives, "contentMs"),
      unit: "ms",
      baseline: `live view with its rows, ${told(lives)}; at most ${MOST_MS}`,
    },
    {
      name: "console.first_view_after_start_ms",
      value: Math.round(first.contentMs),
      unit: "ms",
      baseline: `the first that a platform answers after its start; at most ${MOST_MS}`,
    },
    {
      name: "console.sign_in_ms",
      value: medianBy(signIns, "contentMs"),
      unit: "ms",
      baseline: `sign-in with the demo's button, ${told(signIns)}; at most ${MOST_MS}`,
    },
    {
      name: "console.first_view_kb",
      value: medianBy(lives, "bytes") / KB,
      unit: "KB",
      baseline: "sent before the rows are shown, headers and answers included",
    },
    {
      name: "console.layout_shift",
      value: Math.max(...lives.map(({ layoutShift }) => layoutShift)),
      unit: "score",
      baseline: "cumulative, the worst of the live views; at most 0.1",
    },
  ];
};

const medianBy = (visits: readonly Visit[], name: keyof Visit): number => Math.round(median(visits.map((each) => each[name])));

const told = (visits: readonly Visit[]): string =>
  `median of ${visits.length}, the worst ${Math.round(Math.max(...visits.map(({ contentMs }) => contentMs)))}, ` +
  `first paint ${medianBy(visits, "paintMs")}`;

/** Opens an address with an empty cache, and waits until what the person came for is painted. */
const visit = async (browser: Browser, url: string, content: string, key?: string): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    if (key !== undefined) await keepKey(page, key);
    await page.addInitScript(markContent(content));
    await page.goto(url);
    await page.waitForFunction(() => performance.getEntriesByName("content").length > 0);
    return await page.evaluate<Visit>(READ_VISIT);
  } finally {
    await context.close();
  }
};

/** Whoever opens the page is signed in. */
export const keepKey = (page: Page, key: string): Promise<unknown> =>
  page.addInitScript((value) => sessionStorage.setItem("analytics-key", value), key);

/** A script of the page: marks the moment at which a frame with the content was painted. */
const markContent = (selector: string): string => `{
  const look = (_, observer) => {
    if (document.querySelector(${JSON.stringify(selector)}) === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => performance.mark("content")));
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}`;

/** A script of the page. */
const READ_VISIT = `(() => {
  const contentMs = performance.getEntriesByName("content")[0].startTime;
  const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  const shifts = new PerformanceObserver(() => undefined);
  shifts.observe({ type: "layout-shift", buffered: true });
  return {
    paintMs: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    contentMs,
    bytes: loaded.filter(({ responseEnd }) => responseEnd <= contentMs).reduce((sum, { transferSize }) => sum + transferSize, 0),
    layoutShift: shifts.takeRecords().reduce((sum, { value }) => sum + value, 0),
  };
})()`;
