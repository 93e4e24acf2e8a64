import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MEASURED, openMeasured } from "./measured.ts";
import { parts } from "./parts.ts";

const ROOT = join(import.meta.dirname, "../..");

describe("what was measured", () => {
  it("is kept of parts that there are", async () => {
    const names = parts.map(({ name }) => name);
    expect(Object.keys(await openMeasured(ROOT).read()).filter((name) => !names.includes(name))).toEqual([]);
  });
  it.each(parts)("by $name is of code that there is", ({ measures }) => {
    expect(measures).not.toEqual([]);
    expect(measures.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe.skipIf(!hasGit)("a figure, where git is there", () => {
  const part = { name: "one", measures: ["lib/a"] };
  const yardstick = { megabyteMs: 10.123456, millionRowsMs: 20 };
  let root = "";
  const git = (...words: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: root, stdio: "ignore" });
  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  };
  const commit = () => {
    git("add", ".");
    git("commit", "-q", "-m", "a change");
  };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), "measured-"));
    git("init", "-q");
    await write(MEASURED, "{}");
    await write("lib/a/one.ts", "1");
    commit();
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  it("is kept with its commit and its machine, and is older once its code is changed", async () => {
    const kept = openMeasured(root);
    const age = async () => kept.ageOf(part, await kept.read());
    expect(await age()).toBe("was never kept");
    const at = kept.cleanCommit();
    await kept.record("one", at, yardstick, [{ name: "one.ms", value: 1.23456, unit: "ms", baseline: "as told" }]);
    expect(await kept.read()).toMatchObject({
      one: { commit: at, yardstick: { megabyteMs: 10.12 }, figures: { "one.ms": { value: 1.235, unit: "ms" } } },
    });
    await write("lib/b/other.ts", "1");
    commit();
    expect(await age()).toMatch(/; its code is the same$/);
    await write("lib/a/one.ts", "2");
    commit();
    expect(await age()).toMatch(/; OLDER than 1 change of lib\/a$/);
    await write(MEASURED, JSON.stringify({ one: { ...(await kept.read()).one, commit: "0123abcd" } }));
    expect(await age()).toMatch(/which this copy does not have$/);
  });

  it("is of no commit where the code is changed", async () => {
    await write("lib/a/one.ts", "3");
    expect(() => openMeasured(root).cleanCommit()).toThrow(/commit first\n.*lib\/a\/one\.ts/);
  });
});
