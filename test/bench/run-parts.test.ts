import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runParts } from "./run-parts.ts";

const TOY = new URL("./toy/parts.ts", import.meta.url);
const run = async (...names: readonly string[]) => {
  const said: string[] = [];
  const ran = await runParts(
    TOY,
    names.map((name) => ({ name })),
    (line) => said.push(line),
  );
  return { ...ran, said };
};

describe("a part that fails", () => {
  it("is named with its reason, and the others go on", async () => {
    const { figures, failed, said } = await run("throws", "measures");
    expect(failed).toEqual(["throws"]);
    expect(said[0]).toMatch(/^throws FAILED: .*the platform did not start/);
    expect(figures).toMatchObject([{ name: "measures.answer", value: 42 }]);
  });
  it("is named when its process ends without a word", async () => {
    const { figures, failed, said } = await run("dies", "measures");
    expect(failed).toEqual(["dies"]);
    expect(said[0]).toBe("dies FAILED: its process ended with 7");
    expect(figures).toHaveLength(1);
  });
});

describe("what a part has started", () => {
  let listening: Server;
  beforeEach(async () => {
    listening = createServer().listen(0, "127.0.0.1");
    await once(listening, "listening");
    process.env.TOY_PORT = String(Object(listening.address()).port);
  });
  afterEach(() => {
    delete process.env.TOY_PORT;
    listening.close();
  });
  const heard = async (): Promise<Socket> => {
    const [socket]: Socket[] = await once(listening, "connection");
    if (socket === undefined) throw new Error("nobody came");
    // A process that is killed resets its connections.
    return socket.resume().on("error", () => undefined);
  };
  const bench = (): ChildProcess => fork(join(import.meta.dirname, "toy", "main-case.ts"), { stdio: "ignore" });

  it("ends with the part", async () => {
    const [socket] = await Promise.all([heard(), run("leaves")]);
    if (!socket.closed) await once(socket, "close");
  });
  it.each(["SIGINT", "SIGTERM", "SIGKILL"] as const)("ends with a bench that is ended by %s", async (signal) => {
    const all = bench();
    const socket = await heard();
    all.kill(signal);
    await once(socket, "close");
  });
});
