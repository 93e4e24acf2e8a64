import { fork } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import type { Figure } from "../figures.ts";
import { treeCpuMs } from "../process-cpu.ts";
import { keepKey, type ShownConsole } from "./first-view.ts";
import type { SteadyLoad } from "./steady-load-case.ts";

const PER_SECOND = 1_000;
/** A machine that sends fewer than this share of them measures something else. */
const LEAST_SENT = 0.95;
const SECONDS = 20;
/** The page has more rows than this once a second answer came. */
const AT_ONCE = 100;
/** Until what runs often is compiled, and the page's list of rows is full. */
const SETTLING_MS = 10_000;

interface LoadedConsole extends ShownConsole {
  readonly token: string;
  readonly platformPid: number;
}

interface Span {
  readonly seconds: number;
  readonly events: number;
  readonly platformMs: number;
  readonly rendererMs: number;
  readonly browserMs: number;
}

/**
 * The live view while another process posts events: what it takes of a processor, and what the platform takes to answer it, which is
 * what it takes with the page less the mean of what it takes before and after.
 */
export const livePage = async ({ browser, url, projectId, key, token, platformPid }: LoadedConsole): Promise<readonly Figure[]> => {
  const load: SteadyLoad = { url, token, perSecond: PER_SECOND };
  const sender = fork(new URL("./steady-load-case.ts", import.meta.url), [JSON.stringify(load)]);
  let sent = 0;
  sender.on("message", (events) => {
    sent += Number(events);
  });
  const span = async (): Promise<Span> => {
    const read = async () => ({ at: performance.now(), sent, platformMs: treeCpuMs(platformPid), ...(await browserCpu(browser)) });
    const before = await read();
    await pause(SECONDS * 1_000);
    const after = await read();
    return {
      seconds: (after.at - before.at) / 1_000,
      events: after.sent - before.sent,
      platformMs: after.platformMs - before.platformMs,
      rendererMs: after.rendererMs - before.rendererMs,
      browserMs: after.browserMs - before.browserMs,
    };
  };
  try {
    await pause(SETTLING_MS);
    const without = [await span()];
    const page = await openLive(browser, { url, projectId, key });
    const polls = countPolls(page);
    await pause(SETTLING_MS);
    const pollsBefore = polls();
    const open = await span();
    const polled = polls() - pollsBefore;
    const tasks = await page.evaluate<readonly number[]>(LONG_TASKS);
    const rows = await page.locator("tbody tr").count();
    if (rows <= AT_ONCE) throw new Error(`the page shows ${rows} events and no more`);
    await page.context().close();
    without.push(await span());
    for (const { events, seconds } of [open, ...without])
      if (events < PER_SECOND * seconds * LEAST_SENT) throw new Error(`only ${Math.round(events / seconds)} events a second were taken`);
    const platformAlone = without.reduce((sum, each) => sum + perSecond(each, "platformMs"), 0) / without.length;
    const forPolls = (perSecond(open, "platformMs") - platformAlone) * open.seconds;
    return [
      {
        name: "console.live_cpu_percent",
        value: perSecond(open, "rendererMs") / 10,
        unit: "% of core",
        baseline:
          `the page's process at ${PER_SECOND} events a second over ${SECONDS} s (all of the browser: ${(perSecond(open, "browserMs") / 10).toFixed(0)}); ` +
          `tasks over 50 ms: ${tasks.length}${tasks.length > 0 ? `, the longest ${Math.round(Math.max(...tasks))} ms` : ""}; at most 20`,
      },
      {
        name: "console.poll_cpu_ms",
        value: Math.round(forPolls / polled),
        unit: "ms",
        baseline:
          `processor time of the platform and its engine for each of ${polled} polls; ` +
          `all it takes: ${(perSecond(open, "platformMs") / 10).toFixed(0)} % of a core, without the page ${(platformAlone / 10).toFixed(0)} %; at most 400`,
      },
    ];
  } finally {
    sender.kill();
  }
};

const perSecond = (span: Span, name: "platformMs" | "rendererMs" | "browserMs"): number => span[name] / span.seconds;

const openLive = async (browser: Browser, { url, projectId, key }: Omit<ShownConsole, "browser">): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await keepKey(page, key);
  await page.goto(`${url}/project/${projectId}/live`);
  await page.locator("tbody tr").first().waitFor();
  return page;
};

const countPolls = (page: Page): (() => number) => {
  let polls = 0;
  page.on("response", (response) => {
    if (response.ok() && response.url().includes("/live_events?")) polls += 1;
  });
  return () => polls;
};

const browserCpu = async (browser: Browser): Promise<{ readonly rendererMs: number; readonly browserMs: number }> => {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sum = (some: typeof processInfo): number => some.reduce((total, { cpuTime }) => total + cpuTime * 1_000, 0);
  return { rendererMs: sum(processInfo.filter(({ type }) => type === "renderer")), browserMs: sum(processInfo) };
};

/** A script of the page: how long each task took that kept it from answering to a press, milliseconds. */
const LONG_TASKS = `(() => {
  const observer = new PerformanceObserver(() => undefined);
  observer.observe({ type: "longtask", buffered: true });
  return observer.takeRecords().map(({ duration }) => duration);
})()`;
