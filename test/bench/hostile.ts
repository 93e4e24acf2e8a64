import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attacked, type Outcome } from "../hostile/attacked.ts";
import { attacksOf, harmlessOf } from "../hostile/attacks.ts";
import { tenantIn } from "../support/processes/platform.ts";
import { startProcess } from "../support/processes/platform-process.ts";
import type { Figure, Part } from "./figures.ts";

const LOOK_EVERY_MS = 50;

/** Every attack of the suite on a running platform, while somebody else goes on asking: what it costs either of them, and in memory. */
export const hostile: Part = {
  name: "hostile",
  seconds: 200,
  measures: ["functions", "infra/local", "lib"],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "bench-hostile-"));
    process.env.THROTTLE_SCALE = "1000";
    const platform = await startProcess(folder);
    const memory = watchMemory(platform.pid);
    try {
      const [attacker, bystander] = [await tenantIn(folder, "attacker"), await tenantIn(folder, "bystander")];
      await attacked(platform.baseUrl, await tenantIn(folder, "first"), [harmlessOf(attacker, "warm")]);
      const outcomes = await attacked(platform.baseUrl, bystander, attacksOf(attacker, "bench"));
      const faults = outcomes.flatMap(({ name, faults: found }) => (found.length > 0 ? [`${name}: ${found.join(", ")}`] : []));
      if (faults.length > 0) throw new Error(faults.join("; "));
      const worst = (name: string, of: (outcome: Outcome) => number, goal: string): Figure => {
        const [most] = outcomes.toSorted((a, b) => of(b) - of(a));
        return {
          name,
          value: Math.round(most ? of(most) : 0),
          unit: "ms",
          baseline: `${goal}, of ${outcomes.length} attacks: ${most?.name}`,
        };
      };
      return [
        worst("hostile.slowest_ms", ({ slowestMs }) => slowestMs, "an answer to the attacker; at most 2,000"),
        worst("hostile.others_slowest_ms", ({ others }) => others.answerMs, "an answer to another's trivial request; at most 500"),
        worst("hostile.others_event_ms", ({ others }) => others.eventMs, "until another's event is counted; at most 2,500"),
        worst("hostile.others_table_ms", ({ others }) => others.tableMs, "until another's query has its table; at most 2,500"),
        { name: "hostile.peak_mb", value: Math.round(memory.peakMb()), unit: "MB", baseline: "of the platform's process; at most 1,000" },
      ];
    } finally {
      memory.stop();
      await platform.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The most memory that a process held while it was looked at. */
const watchMemory = (pid: number): { peakMb(): number; stop(): void } => {
  let peak = 0;
  const look = setInterval(() => {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    peak = Math.max(peak, Number(kilobytes) / 1_000);
  }, LOOK_EVERY_MS);
  return { peakMb: () => peak, stop: () => clearInterval(look) };
};
