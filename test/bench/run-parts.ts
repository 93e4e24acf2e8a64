import { once } from "node:events";
import { join } from "node:path";
import * as z from "zod";
import { startGroup } from "../support/processes/process-group.ts";
import type { Figure, Part } from "./figures.ts";

const Told = z.union([
  z.object({ figures: z.array(z.object({ name: z.string(), value: z.number(), unit: z.string(), baseline: z.string() })) }),
  z.object({ failed: z.string() }),
]);

/**
 * Runs each part in a process of its own, so that one that fails or dies takes nothing with it, and ends whatever it started. `from`
 * is the file that exports them as `parts`; `keep` is told what each has measured.
 */
export const runParts = async (
  from: URL,
  parts: readonly Pick<Part, "name">[],
  say: (line: string) => void,
  keep?: (part: string, figures: readonly Figure[]) => Promise<void>,
): Promise<{ readonly figures: readonly Figure[]; readonly failed: readonly string[] }> => {
  const figures: Figure[] = [];
  const failed: string[] = [];
  for (const { name } of parts) {
    const told = await oneTold(from, name);
    if ("failed" in told) {
      failed.push(name);
      say(`${name} FAILED: ${told.failed}`);
      continue;
    }
    for (const figure of told.figures) say(row(figure));
    await keep?.(name, told.figures);
    figures.push(...told.figures);
  }
  return { figures, failed };
};

const oneTold = async (from: URL, name: string): Promise<z.output<typeof Told>> => {
  const group = startGroup(join(import.meta.dirname, "part-case.ts"), [from.href, name], { isShown: true });
  const stop = new AbortController();
  try {
    return await Promise.race([
      once(group.child, "message", stop).then(([message]) => Told.parse(message)),
      once(group.child, "exit", stop).then(([code, signal]) => ({ failed: `its process ended with ${signal ?? code}` })),
    ]);
  } finally {
    stop.abort();
    group.end();
  }
};

const row = ({ name, value, unit, baseline }: Figure): string =>
  `${name.padEnd(44)} ${text(value).padStart(12)} ${unit.padEnd(10)} ${baseline}`;

const text = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(Math.abs(value) < 10 ? 3 : 1));
