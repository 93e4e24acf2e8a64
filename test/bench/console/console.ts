import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readCredentials } from "../../../infra/local/credentials.ts";
import { consoleSizes } from "../../console/sizes.ts";
import { openBrowser } from "../../support/processes/browser.ts";
import { eventually } from "../../support/processes/platform.ts";
import { startProcess, waitingMessages } from "../../support/processes/platform-process.ts";
import type { Figure, Part } from "../figures.ts";
import { adminQuery } from "./admin-query.ts";
import { firstViews } from "./first-view.ts";
import { livePage } from "./live-page.ts";

const KB = 1_000;
const DEMO_BUDGET_MS = 60_000;

/**
 * What a person feels on a laptop with the demo's data: the page in a real browser, until it shows something, while it is open, and its size;
 * and a query at a terminal.
 */
export const consolePage: Part = {
  name: "console",
  seconds: 120,
  measures: ["functions/console", "functions/query", "infra/cli", "infra/local", "lib/console"],
  async run(): Promise<readonly Figure[]> {
    const folder = await mkdtemp(join(tmpdir(), "bench-console-"));
    const [platform, browser] = await Promise.all([startProcess(folder, 0, { demo: true }), openBrowser()]);
    try {
      await eventually(
        async () => {
          const waiting = [...(await waitingMessages(folder)).values()].reduce((sum, messages) => sum + messages, 0);
          if (waiting > 0) throw new Error(`${waiting} messages of the demo wait`);
        },
        { budgetMs: DEMO_BUDGET_MS },
      );
      const { project_id, project_token, personal_api_key } = readCredentials(folder) ?? {};
      if (!project_id || !project_token || !personal_api_key) throw new Error("there is no demo");
      const shown = { browser, url: platform.baseUrl, projectId: project_id, key: personal_api_key };
      return [
        ...(await firstViews(shown)),
        await adminQuery(folder, project_id),
        ...(await livePage({ ...shown, token: project_token, platformPid: platform.pid })),
        ...(await sizes()),
      ];
    } finally {
      await browser.close();
      await platform.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const sizes = async (): Promise<readonly Figure[]> => {
  const { all, first } = await consoleSizes();
  return [
    {
      name: "console.size_all_kb",
      value: Math.round(all / KB),
      unit: "KB",
      baseline: "all files, compressed as they are deployed; at most 250",
    },
    {
      name: "console.size_first_kb",
      value: Math.round(first / KB),
      unit: "KB",
      baseline: "what the live view is painted with; at most 100",
    },
  ];
};
