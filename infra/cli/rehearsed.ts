import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { UserError } from "../local/user-error.ts";

/** Beside the templates: the hashes of those that were rehearsed, by stack. */
const FILE = "rehearsed.json";
const Rehearsed = z.record(z.string(), z.string());
/** What a synthesis says of itself; a stack is whatever has a template. */
const Manifest = z.object({
  artifacts: z.record(z.string(), z.object({ properties: z.object({ templateFile: z.string().optional() }).optional() })),
});

/** What an account has room for, and no rehearsal knows: only `deploy` asks, and writes it into the settings of the stage. */
const OF_THE_ACCOUNT = "ReservedConcurrentExecutions";

/** The hash of each stack of a synthesis. A template names its code by what is in it, so its hash stands for the code as well. */
const templateHashes = (folder: string): ReadonlyMap<string, string> => {
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const hashOf = (template: unknown): string => {
    const rehearsable = JSON.stringify(template, (key, value) => (key === OF_THE_ACCOUNT ? undefined : value));
    return createHash("sha256").update(rehearsable).digest("hex");
  };
  const { artifacts } = Manifest.parse(read("manifest.json"));
  return new Map(
    Object.entries(artifacts).flatMap(([stack, { properties }]) =>
      properties?.templateFile === undefined ? [] : [[stack, hashOf(read(properties.templateFile))] as const],
    ),
  );
};

const known = (folder: string): z.output<typeof Rehearsed> => {
  try {
    return Rehearsed.parse(JSON.parse(readFileSync(join(folder, FILE), "utf8")));
  } catch {
    return {};
  }
};

/** Writes down that the stacks in a folder of the synthesis were rehearsed without a fault. */
export const keepRehearsed = (folder: string): void => {
  const all = { ...known(folder), ...Object.fromEntries(templateHashes(folder)) };
  writeFileSync(join(folder, FILE), `${JSON.stringify(all, null, 2)}\n`);
};

/** Throws a sentence for people where something in the folder is not what was rehearsed. */
export const checkRehearsed = (folder: string, stage: string): void => {
  const rehearsed = known(folder);
  const others = [...templateHashes(folder)].filter(([stack, hash]) => rehearsed[stack] !== hash).map(([stack]) => stack);
  if (others.length === 0) return;
  throw new UserError(
    `This is not what was rehearsed: ${others.join(", ")}. Run \`npm run rehearse -- --stage ${stage}\` first, a matter of minutes, or deploy with --unrehearsed.`,
  );
};
