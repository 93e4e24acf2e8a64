import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { jobs } from "../../../functions/jobs/consumer.ts";
import { functionSizing } from "../../../infra/sizing.ts";
import type { WideOutcome, WideRows } from "../../support/samples/wide-lake.ts";
import type { Figure, Part } from "../figures.ts";

const MAX_MB = 1_800;
const MIB = 1024 * 1024;
const DRAIN_BYTES = 64_000_000;

const LOADS: readonly { readonly name: string; readonly wide: WideRows }[] = [
  { name: "45,000 of 20 KB", wide: { rows: 45_000, rowBytes: 20_000, days: 3, drainBytes: DRAIN_BYTES } },
  { name: "200,000 of 4 KB", wide: { rows: 200_000, rowBytes: 4_000, days: 4, drainBytes: DRAIN_BYTES } },
  { name: "1,000,000 of 2 KB", wide: { rows: 1_000_000, rowBytes: 2_000, days: 4, drainBytes: DRAIN_BYTES } },
];

/** What `wide-case.ts compact` prints. */
type Measured = Omit<WideOutcome, "files"> & { readonly peakKb: number; readonly peakDisk: number; readonly seconds: number };

/** Events of many bytes, gathered, rewritten and sealed by the engine as it is deployed; most memory and disk of the process. */
export const wideRows: Part = {
  name: "compact.wide_peak_mb",
  seconds: 180,
  measures: ["lib/engine", "lib/lake"],
  async run() {
    const measured: { readonly name: string; readonly peakMb: number; readonly diskMb: number; readonly seconds: number }[] = [];
    for (const { name, wide } of LOADS) {
      const root = await mkdtemp(join(tmpdir(), "wide-rows-"));
      try {
        await caseOf("write", root, wide);
        const outcome: Measured = JSON.parse(await caseOf("compact", root, wide));
        check(name, wide, outcome);
        measured.push({ name, peakMb: outcome.peakKb / 1_024, diskMb: outcome.peakDisk / MIB, seconds: outcome.seconds });
      } finally {
        await rm(root, { recursive: true });
      }
    }
    const each = (text: (one: (typeof measured)[number]) => string): string =>
      measured.map((one) => `${one.name}: ${text(one)}`).join("; ");
    const most = (of: (one: (typeof measured)[number]) => number): number => Math.round(Math.max(...measured.map(of)));
    return [
      figure(
        "compact.wide_peak_mb",
        most(({ peakMb }) => peakMb),
        `at most ${MAX_MB}; ${each(({ peakMb, seconds }) => `${peakMb.toFixed(0)} MB, ${seconds.toFixed(0)} s`)}`,
      ),
      figure(
        "compact.wide_disk_mb",
        most(({ diskMb }) => diskMb),
        `at most ${functionSizing(jobs).diskMb}; ${each(({ diskMb }) => diskMb.toFixed(0))}`,
      ),
    ];
  },
};

const figure = (name: string, value: number, baseline: string): Figure => ({ name, value, unit: "MB", baseline });

const check = (name: string, { rows }: WideRows, outcome: Measured): void => {
  if (outcome.failures.length > 0 || outcome.loose > 0 || !outcome.sealed)
    throw new Error(`${name}: ${outcome.failures[0] ?? "not compacted"}`);
  if (outcome.rows !== rows || outcome.usage !== rows) throw new Error(`${name}: ${outcome.rows} rows, ${outcome.usage} counted`);
};

const run = promisify(execFile);

const caseOf = async (part: "write" | "compact", root: string, wide: WideRows): Promise<string> =>
  (await run(process.execPath, [join(import.meta.dirname, "wide-case.ts"), part, root, JSON.stringify(wide)])).stdout;
