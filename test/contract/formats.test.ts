import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { FORMATS, type Format, OTHER_FORMATS } from "../support/formats.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Every number of a stored format in the sources, by its file and name. */
const numbers = (): Readonly<Record<string, number>> =>
  Object.fromEntries(
    globSync(["lib/**/*.ts", "functions/**/*.ts", "infra/cli/**/*.ts"], { cwd: ROOT }).flatMap((file) =>
      [...readFileSync(join(ROOT, file), "utf8").matchAll(/^(?:export )?const (\w*FORMAT) = (\d+);/gm)].map(
        ([, name, number]): [string, number] => [`${file} ${name}`, Number(number)],
      ),
    ),
  );

const versionsOf = ({ versions }: Format): readonly number[] => Object.keys(versions).map(Number);

it("every stored format has a sample of each version that was ever written, the newest one among them", () => {
  const newest = FORMATS.map((format): [string, number] => [format.constant, Math.max(...versionsOf(format))]);
  expect(numbers()).toEqual({ ...Object.fromEntries(newest), ...OTHER_FORMATS });
});

it.each(FORMATS)("this release reads $constant as it is written, and as the releases before wrote it", async (format) => {
  const written = numbers()[format.constant] ?? 0;
  expect(versionsOf(format)).toEqual(expect.arrayContaining(written > 1 ? [written - 1, written] : [written]));
  for (const stored of Object.values(format.versions)) expect(await format.read(stored)).toEqual(format.says);
});

it.each(FORMATS)(
  "this release reads $constant as the next one will write it, whatever that adds, and guesses at none that comes later",
  async (format) => {
    const written = numbers()[format.constant] ?? 0;
    expect(await format.read(format.later(written + 1))).toMatchObject(Object(format.says));
    await expect((async () => format.read(format.later(written + 2)))()).rejects.toThrow();
  },
);
