import { readdirSync, readFileSync } from "node:fs";
import { peakKilobytes } from "../peak-memory.ts";
import { asWritten } from "./as-written.ts";
import { EARNED } from "./property-queries.ts";
import { openYearWorld } from "./world.ts";
import { earnedSet, firstDays, yearSet } from "./year-set.ts";

/**
 * Runs one query in a process of its own: its folder, the days of the set, whether its files have earned columns, and the query's name. Prints
 * what became of it as JSON.
 */
const [root = "", days = "", kind = "", name = ""] = process.argv.slice(2);

/** Peak of the process that the engine runs in, kilobytes. */
const enginePeak = (): number => {
  const own = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && statusOf(pid).includes(`\nPPid:\t${process.pid}\n`));
  return Math.max(0, ...own.map((pid) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(statusOf(pid))?.[1] ?? 0)));
};

const statusOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
};

const set = await yearSet(root, () => undefined);
const own = kind === "earned" ? await earnedSet(root, set, Number(days), EARNED) : firstDays(set, Number(days));
const world = await openYearWorld(set.objects, root, new Map([[Number(days), own]]));
const wanted = asWritten(Number(days)).find((one) => one.name === name);
if (wanted === undefined) throw new Error(`no query is called ${name}`);
await world.save(Number(days), name, wanted.query);
await world.save(Number(days), "alive", { kind: "HogQLQuery", query: "SELECT count() FROM events WHERE timestamp < '2025-01-02'" });
const first = await world.run(Number(days), name);
const peakKb = enginePeak();
const second = first.status === 200 ? await world.run(Number(days), name) : first;
const alive = await world.run(Number(days), "alive");
const refused: { readonly code?: unknown } = first.status === 200 ? {} : JSON.parse(first.body);
console.log(
  JSON.stringify({
    ms: Math.min(first.ms, second.ms),
    status: first.status,
    code: refused.code ?? null,
    alive: alive.status === 200,
    rows: first.rows.length,
    enginePeakKb: Math.max(peakKb, enginePeak()),
    ownPeakKb: peakKilobytes(),
  }),
);
await world.close();
