import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endGroupsWithUs } from "../support/processes/process-group.ts";
import type { Figure, Part } from "./figures.ts";
import { openMeasured } from "./measured.ts";
import { parts } from "./parts.ts";
import { runParts } from "./run-parts.ts";
import { yardstick } from "./yardstick.ts";

const kept = openMeasured(join(import.meta.dirname, "../.."));

/**
 * `npm run bench [-- [--json FILE] [--record] [name …]]`: runs the parts whose names begin with one of those given, or all but those apart.
 * `--record` keeps what they measure, with the commit; `--older` says of which commit what is kept is, and runs nothing.
 */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "string" }, record: { type: "boolean" }, older: { type: "boolean" } },
  });
  const named = (part: Part): boolean => positionals.some((name) => part.name.startsWith(name));
  const chosen = positionals.length > 0 ? parts.filter(named) : parts.filter(({ apart }) => values.older || apart !== true);
  if (chosen.length === 0)
    throw new Error(`no part is called ${positionals.join(" or ")}; there are ${parts.map((part) => part.name).join(", ")}`);
  if (values.older) return sayAges(chosen);
  const keep = values.record ? await recorder() : undefined;
  const seconds = chosen.reduce((sum, part) => sum + part.seconds, 0);
  console.log(`${chosen.length} of ${parts.length} parts, about ${seconds} s`);
  const { figures, failed } = await runParts(new URL("./parts.ts", import.meta.url), chosen, console.log, keep);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(asJson(figures), null, 2)}\n`);
  if (failed.length === 0) return;
  console.log(`${failed.length} of ${chosen.length} parts failed: ${failed.join(", ")}`);
  process.exitCode = 1;
};

const sayAges = async (chosen: readonly Part[]): Promise<void> => {
  const measured = await kept.read();
  for (const part of chosen) console.log(`${part.name} ${kept.ageOf(part, measured)}`);
};

/** Each part is kept when it has ended, so that one that is stopped costs its own figures only. */
const recorder = async (): Promise<(part: string, figures: readonly Figure[]) => Promise<void>> => {
  const commit = kept.cleanCommit();
  const machine = await yardstick();
  return (part, figures) => kept.record(part, commit, machine, figures);
};

const asJson = (figures: readonly Figure[]): Readonly<Record<string, Omit<Figure, "name">>> =>
  Object.fromEntries(figures.map(({ name, ...rest }) => [name, rest]));

endGroupsWithUs();
await main();
