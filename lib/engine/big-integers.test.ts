import { describe, expect, it } from "vitest";
import { anEngine } from "../../test/support/engine.ts";
import { storedSegment } from "../../test/support/lake-state.ts";
import { memoryObjects } from "../../test/support/memory-objects.ts";
import { anEventRow } from "../../test/support/samples/event-rows.ts";
import type { FileFacts } from "../lake/catalogue.ts";
import { eventFileKey, segmentKey } from "../lake/paths.ts";

const PROJECT = 1;
const BIG = '{"wei":[100000000000000000000]}';
const AS_TEXT = '{"wei":"100000000000000000000"}';

describe("whether a file may hold whole numbers beyond 64 bits", () => {
  const objects = memoryObjects();
  const engine = anEngine(objects);
  let keys = 0;

  const stored = (...documents: readonly string[]): Promise<FileFacts> => {
    const rows = documents.map((properties) =>
      anEventRow({ uuid: `0190a1b2-c3d4-7e5f-8a9b-${String(keys++).padStart(12, "0")}`, properties }),
    );
    return storedSegment(engine(), objects, segmentKey(PROJECT, "2025-06", `s${keys}`), rows);
  };
  /** As the release before wrote it. */
  const untold = async (...documents: readonly string[]): Promise<FileFacts> => {
    const { bigIntegers: _, ...facts } = await stored(...documents);
    return facts;
  };
  const merged = async (...files: readonly FileFacts[]): Promise<boolean | undefined> => {
    const sources = files.map((file) => ({ file, skip: [] }));
    const all = await engine().rowFiles.merge(PROJECT, sources, "one", () => eventFileKey(PROJECT, "2025-06", `f${keys++}`));
    expect(all).toHaveLength(1);
    return all[0]?.bigIntegers;
  };

  it("is said of a segment, by its documents", async () => {
    expect((await stored("{}", AS_TEXT)).bigIntegers).toBe(false);
    expect((await stored("{}", BIG)).bigIntegers).toBe(true);
  });

  it("is kept by merges", async () => {
    expect(await merged(await stored(AS_TEXT), await stored("{}"))).toBe(false);
    expect(await merged(await stored(AS_TEXT), await stored(BIG))).toBe(true);
  });

  it("is found out when files that do not say are merged", async () => {
    expect(await merged(await stored("{}"), await untold('{"plan":"x"}'))).toBe(false);
    expect(await merged(await stored("{}"), await untold(BIG))).toBe(true);
    expect(await merged(await stored(BIG), await untold("{}"))).toBe(true);
  });
});
