import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { UserError } from "../user-error.ts";
import { holdDirectory } from "./lock.ts";
import { openData } from "./open-data.ts";

/** An address where nobody listens any more. */
const deadAddress = async (): Promise<string> => {
  const server = createServer();
  const address = await new Promise<ReturnType<typeof server.address>>((done) =>
    server.listen(0, "127.0.0.1", () => done(server.address())),
  );
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
};

test("a platform that has the directory and does not answer is told in one sentence", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "dead-"));
  const hold = holdDirectory(dataDir);
  const dead = await deadAddress();
  hold?.announce({ pid: 12_345, base_url: dead, ingest_url: dead, dynamodb: dead, store: dead });
  const error: unknown = await openData(dataDir).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: "UserError",
    message: `The platform that has ${dataDir} (process 12345) does not answer at ${dead}: stop it and try again, or run the command where it runs.`,
  });
  hold?.release();
  await rm(dataDir, { recursive: true, force: true });
});

test("what is no lock is not taken for that of another platform, and is told in one sentence", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "unlocked-"));
  await writeFile(join(dataDir, "platform.lock"), "no database ".repeat(100));
  expect(() => holdDirectory(dataDir)).toThrow("platform.lock cannot be locked (file is not a database): make it yours to write.");
  await rm(dataDir, { recursive: true, force: true });
});

// Root may write whatever the rights of a file say.
test.skipIf(process.getuid?.() === 0)("a lock that may only be read holds nobody off, so it is refused", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "read-only-"));
  await writeFile(join(dataDir, "platform.lock"), "", { mode: 0o444 });
  expect(() => holdDirectory(dataDir)).toThrow("platform.lock cannot be locked (EACCES: permission denied");
  await rm(dataDir, { recursive: true, force: true });
});

// Nobody may change the rights of a directory of the system's own, not even root.
test.skipIf(process.platform !== "linux")("a directory of somebody else is told in one sentence", () => {
  const sentence = "The directory /proc/self is somebody else's: name another one with --data-dir.";
  expect(() => holdDirectory("/proc/self")).toThrow(new UserError(sentence));
});

// A directory that is made here for ever can only be seen from another process.
test.skipIf(process.platform !== "linux")("a directory where none can be made is told in one sentence", () => {
  const lock = JSON.stringify(import.meta.resolve("./lock.ts"));
  const script = `import(${lock}).then(({ holdDirectory }) => holdDirectory("/proc/none/below")).catch(({ message }) => console.log(message))`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" });
  expect(stdout).toBe("The directory /proc/none/below cannot be made (ENOENT): name another one with --data-dir.\n");
});
