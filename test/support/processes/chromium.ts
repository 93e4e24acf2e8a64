import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The browser of this machine, where there is one on the path. */
export const chromium: string | undefined = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find(isProgram);

export interface OpenedBrowser {
  /** What pages wrote on their consoles, and what the browser says of requests that failed. */
  readonly console: () => string;
  close(): Promise<void>;
}

/** Opens an address in a browser without a window, with a profile of its own. */
export const openInChromium = async (program: string, url: string): Promise<OpenedBrowser> => {
  const profile = await mkdtemp(join(tmpdir(), "chromium-"));
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--enable-logging=stderr"];
  // A page that is not looked at sends its timers to sleep.
  const awake = ["--disable-background-timer-throttling", "--disable-renderer-backgrounding", "--remote-debugging-port=0"];
  const child: ChildProcess = spawn(program, [...flags, ...awake, `--user-data-dir=${profile}`, url], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (some: string) => {
    said += some;
  });
  return {
    console: () =>
      said
        .split("\n")
        .filter((line) => line.includes("CONSOLE"))
        .join("\n"),
    async close() {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
