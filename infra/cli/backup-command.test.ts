import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { GENERATION } from "../../lib/core/formats.ts";
import { encodeMessage } from "../../lib/event/message.ts";
import { pointerKey, symbolsKey } from "../../lib/lake/paths.ts";
import { aTenant } from "../../test/support/processes/platform.ts";
import { SYMBOLS, storeSymbols } from "../../test/support/samples/stored-symbols.ts";
import { openData } from "../local/stores/open-data.ts";
import { UserError } from "../local/user-error.ts";
import { runLine } from "./run.ts";

let folder = "";
let project = 0;
const at = (...names: readonly string[]) => join(folder, ...names);
const [DATA, COPY] = ["data", "copy"];

/** A project with one uploaded file, and a request that waits as a message that points to an object. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "backup-"));
  const { world, close } = await openData(at(DATA));
  const tenant = await aTenant(world);
  project = tenant.projectId;
  await storeSymbols(world, project, "first");
  await world.objects.put(pointerKey("one"), SYMBOLS);
  const message = encodeMessage({
    v: 1,
    ...{
      project,
      organization: tenant.organizationId,
      request: "0".repeat(32),
      received: "1795176000000000",
      sentAt: null,
      historical: false,
    },
    ...{ payload: "envelope", engage: false, first: 0, events: 1, decodedBytes: 17, body: { encoding: "none", key: pointerKey("one") } },
  });
  await world.queues.send("historical", [{ id: "1", body: message }]);
  await world.tokenKeys.make();
  await close();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const Backup = z.object({ id: z.string(), objects: z.number(), copied: z.number(), messages: z.number() });

const backUp = async (to = COPY) =>
  Backup.parse(JSON.parse((await runLine(["backup", "--to", at(to), "--data-dir", at(DATA), "--json"], {})).text));
const restore = (to: string, from = COPY) => runLine(["restore", "--from", at(from), "--data-dir", at(to), "--json"], {});

test("a backup holds the table, what it names, what waits and the keys, for its owner alone, and another one copies only what is new", async () => {
  const first = await backUp();
  expect(first).toMatchObject({ objects: 2, copied: 2, messages: 1 });
  expect(await backUp()).toMatchObject({ objects: 2, copied: 0, messages: 1 });
  const names = await readdir(at(COPY));
  expect(names.map((name) => name.split(".").at(-1)).toSorted()).toEqual(["db", "json", "objects", "queues", "table", "token-keys"]);
  for (const name of names) expect((await stat(at(COPY, name))).mode & 0o077).toBe(0);
  expect(names.some((name) => name.startsWith(first.id))).toBe(false);

  const answer = await restore("restored");
  expect({ ...answer, text: JSON.parse(answer.text) }).toMatchObject({
    exitCode: 0,
    text: { objects: 2, messages: 1, verified: { ok: true } },
  });
  expect(existsSync(at("restored.restoring"))).toBe(false);
  expect(await readFile(at("restored", "token-keys"), "utf8")).toBe(await readFile(at(DATA, "token-keys"), "utf8"));
  expect((await stat(at("restored", "token-keys"))).mode & 0o077).toBe(0);
  const { world, source, close } = await openData(at("restored"));
  expect(await world.objects.get(symbolsKey(project, "first"))).toEqual(new Uint8Array(SYMBOLS));
  const [message] = await source.receive("historical", { max: 10, waitMs: 0, visibilityMs: 1_000 });
  expect(message?.body).toContain(pointerKey("one"));
  expect(await world.objects.get(pointerKey("one"))).toEqual(new Uint8Array(SYMBOLS));
  await close();
});

test("the command that tries a backup is one that a shell takes", async () => {
  const { text } = await runLine(["backup", "--to", at("a copy"), "--data-dir", at(DATA)], {});
  expect(text).toContain(`restore --from '${at("a copy")}' --data-dir DIR\n`);
});

// Nothing can be made in a directory of the system's own, not even by root. Whatever never ends there can only be seen from another process.
test.skipIf(process.platform !== "linux")("a restore to where nothing can be made is told in one sentence", async () => {
  await backUp();
  const words = ["restore", "--from", at(COPY), "--data-dir", "/proc/restored"];
  const { stderr } = spawnSync(process.execPath, [join(import.meta.dirname, "main.ts"), ...words], {
    encoding: "utf8",
    timeout: 30_000,
    killSignal: "SIGKILL",
  });
  expect(stderr).toBe("The directory /proc/restored.restoring cannot be made (ENOENT): name another one with --data-dir.\n");
});

test("a restore changes no directory in which there is something, and needs a whole backup", async () => {
  await backUp();
  await mkdir(at("full"));
  await writeFile(at("full", "file"), "");
  await expect(restore("full")).rejects.toThrow(/full is not empty: name a directory that is not there yet with --data-dir/);
  await expect(restore("other", "nothing")).rejects.toThrow(
    /^There is no whole backup in .*nothing: name another directory with --from\.$/,
  );
  await expect(runLine(["restore", "--data-dir", at("other")], {})).rejects.toThrow("--from DIR");
  expect(existsSync(at("other"))).toBe(false);
});

test("a backup of a release that is too new is refused before anything is made of it", async () => {
  await backUp("later");
  const page = at("later", "backup.json");
  await writeFile(page, (await readFile(page, "utf8")).replace(`"generation": ${GENERATION}`, `"generation": ${GENERATION + 2}`));
  await expect(restore("later-restored", "later")).rejects.toThrow(
    `formats of generation ${GENERATION + 2}; this one reads up to ${GENERATION + 1}`,
  );
  expect(existsSync(at("later-restored.restoring"))).toBe(false);
});

test("a restore notices a copy that is another one than was made, and goes on once it is there", async () => {
  await backUp("damaged");
  const file = at("damaged", "objects", symbolsKey(project, "first"));
  await appendFile(file, "!");
  await expect(restore("from-damaged", "damaged")).rejects.toThrow(
    `is damaged: ${symbolsKey(project, "first")} is missing or is not what was written`,
  );
  expect(existsSync(at("from-damaged"))).toBe(false);
  await writeFile(file, SYMBOLS);
  expect(await restore("from-damaged", "damaged")).toMatchObject({ exitCode: 0 });
});

test("what the table names and the store lacks makes no backup, and leaves the one before as it was", async () => {
  await backUp("kept");
  const page = await readFile(at("kept", "backup.json"), "utf8");
  const { world, close } = await openData(at(DATA));
  await storeSymbols(world, project, "second");
  await world.objects.remove([symbolsKey(project, "second")]);
  await close();
  await expect(backUp("kept")).rejects.toThrow(`lacks 1 of the objects that the table names, such as ${symbolsKey(project, "second")}`);
  expect(await readFile(at("kept", "backup.json"), "utf8")).toBe(page);
  expect(await restore("from-kept", "kept")).toMatchObject({ exitCode: 0 });
});

test("a backup goes neither into the data directory nor among other files, and says where it may go", async () => {
  await expect(backUp(join(DATA, "backup"))).rejects.toThrow("lies in the data directory itself");
  await mkdir(at("files"));
  await writeFile(at("files", "file"), "");
  await expect(backUp("files")).rejects.toThrow("is not empty and holds no backup: name another directory with --to.");
  for (const file of [join("files", "file"), join("files", "file", "below")]) {
    await expect(backUp(file)).rejects.toThrow(new UserError(`${at(file)} is a file: name a directory with --to.`));
    await expect(restore(file, "files")).rejects.toThrow(UserError);
  }
  await expect(restore(join("files", "file", "below"), "files")).rejects.toThrow("is a file: name a directory with --data-dir.");
  await expect(runLine(["backup", "--data-dir", at(DATA)], {})).rejects.toThrow("--to DIR");
});
