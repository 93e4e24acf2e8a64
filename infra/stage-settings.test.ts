import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepStageSettings, readStageSettings, settingsFile } from "./stage-settings.ts";

describe("a stage's settings", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "stages-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("are kept in its file, so that the next deploy is told what the last one was", async () => {
    expect(readStageSettings("new", folder)).toEqual({});
    keepStageSettings("shop", ["alarmEmail=ops@example.com", "ingestPerSecond=50"], folder);
    expect(keepStageSettings("shop", ["ingestPerSecond=", "dashboard=true"], folder)).toEqual({
      alarmEmail: "ops@example.com",
      dashboard: "true",
    });
    expect(readStageSettings("shop", folder)).toEqual({ alarmEmail: "ops@example.com", dashboard: "true" });
    const before = await readFile(settingsFile("shop", folder), "utf8");
    keepStageSettings("shop", [], folder);
    expect(await readFile(settingsFile("shop", folder), "utf8")).toBe(before);
  });

  it("may be written by hand, with numbers and yes or no as JSON has them", async () => {
    await writeFile(settingsFile("hand", folder), '{"ingestPerSecond": 50, "logRole": false}');
    expect(readStageSettings("hand", folder)).toEqual({ ingestPerSecond: "50", logRole: "false" });
  });

  it.each([
    ['{"ingestPerSeconds": 50}', "there is no setting ingestPerSeconds"],
    ["[]", "must be one JSON object"],
    ["{", "must be one JSON object"],
  ])("are refused where they say %s", async (text, sentence) => {
    await writeFile(settingsFile("wrong", folder), text);
    expect(() => readStageSettings("wrong", folder)).toThrow(sentence);
  });

  it.each(["dashboard", "colour=red"])("are not changed by %s", (given) => {
    expect(() => keepStageSettings("shop", [given], folder)).toThrow(/give a setting as name=value|there is no setting colour/);
  });
});
