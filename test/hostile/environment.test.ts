import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import * as z from "zod";

const SECRET = "a-secret-of-the-function";

const Told = z.object({ engine: z.number(), secret: z.string() });

let child: ChildProcess | undefined;
afterEach(() => child?.kill("SIGKILL"));

/** What any process of this user is shown, the engine's too. */
const shown = (pid: number | undefined): string => readFileSync(`/proc/${pid}/environ`, "latin1");

it.skipIf(process.platform !== "linux")(
  "the engine's process finds no credentials: not in its environment, and not in its parent's",
  async () => {
    const started = fork(join(import.meta.dirname, "environment-case.ts"), {
      env: { ...process.env, AWS_SESSION_TOKEN: SECRET },
      execArgv: [],
    });
    child = started;
    expect(shown(started.pid)).toContain(SECRET);
    const [message] = await once(started, "message");
    const { engine, secret } = Told.parse(message);
    expect(secret).toBe(SECRET);
    expect(shown(started.pid)).not.toContain(SECRET);
    expect(shown(engine)).not.toContain(SECRET);
  },
);
