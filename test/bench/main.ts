import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { endGroupsWithUs } from "../support/processes/process-group.ts";
import type { Figure } from "./figures.ts";
import { parts } from "./parts.ts";
import { runParts } from "./run-parts.ts";

/** `npm run bench [-- [--json FILE] [name …]]`: runs the parts whose names begin with one of those given, or all but those apart. */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } });
  const chosen = parts.filter((part) =>
    positionals.length === 0 ? part.apart !== true : positionals.some((name) => part.name.startsWith(name)),
  );
  if (chosen.length === 0)
    throw new Error(`no part is called ${positionals.join(" or ")}; there are ${parts.map((part) => part.name).join(", ")}`);
  const seconds = chosen.reduce((sum, part) => sum + part.seconds, 0);
  console.log(`${chosen.length} of ${parts.length} parts, about ${seconds} s`);
  const { figures, failed } = await runParts(new URL("./parts.ts", import.meta.url), chosen, console.log);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(asJson(figures), null, 2)}\n`);
  if (failed.length === 0) return;
  console.log(`${failed.length} of ${chosen.length} parts failed: ${failed.join(", ")}`);
  process.exitCode = 1;
};

const asJson = (figures: readonly Figure[]): Readonly<Record<string, Omit<Figure, "name">>> =>
  Object.fromEntries(figures.map(({ name, ...rest }) => [name, rest]));

endGroupsWithUs();
await main();
