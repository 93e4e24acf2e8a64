import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FIRST_RELEASE, FORMATS, type Format, type FormatVersion, OTHER_FORMATS } from "../support/formats.ts";

const ROOT = join(import.meta.dirname, "../..");
const RELEASE: string = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;

/** Every number of a stored format in the sources, by its file and name. */
const numbers = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    globSync(["lib/**/*.ts", "functions/**/*.ts"], { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/^(?:export )?const (\w*FORMAT) = (\d+);/gm)].map(
        ([, name, number]): [string, number] => [`${file} ${name}`, Number(number)],
      ),
    ),
  );

const partsOf = (release: string): readonly number[] => release.split(".").map(Number);

/** Below 0 where the first release is the earlier one. */
const compare = (one: string, other: string): number => {
  const [a, b] = [partsOf(one), partsOf(other)];
  return a.map((part, at) => part - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
};

const isDue = (from: string): boolean => compare(from, RELEASE) <= 0;

const versionsOf = ({ versions }: Format): readonly [number, FormatVersion][] =>
  Object.entries(versions).map(([number, version]): [number, FormatVersion] => [Number(number), version]);

it("every stored format writes the newest version whose release has come", () => {
  const written = FORMATS.map((format): [string, number] => {
    const due = versionsOf(format).filter(([, version]) => isDue(version.written));
    return [format.constant, Math.max(...due.map(([number]) => number))];
  });
  expect(numbers()).toEqual({ ...Object.fromEntries(written), ...OTHER_FORMATS });
});

it.each(FORMATS)("a new version of $constant is read a release before it is written: a deployment runs beside the one before", (format) => {
  for (const [, { read, written }] of versionsOf(format)) {
    if (compare(written, FIRST_RELEASE) > 0) expect(compare(read, written)).toBeLessThan(0);
  }
});

it.each(FORMATS)(
  "this release reads $constant as it is written, as the release before wrote it, and as the next one will",
  async (format) => {
    const written = numbers()[format.constant] ?? 0;
    const read = versionsOf(format).filter(([number, version]) => number >= written - 1 && isDue(version.read));
    expect(read.map(([number]) => number)).toEqual(expect.arrayContaining(written > 1 ? [written - 1, written] : [written]));
    for (const [, { stored }] of read) expect(await format.read(stored)).toEqual(format.says);
  },
);
