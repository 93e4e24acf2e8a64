import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Part } from "./figures.ts";

/** What one request without a valid key cost its handler, beside its body. */
export interface KeylessCost {
  readonly name: string;
  readonly status: number;
  /** Of processor. */
  readonly ms: number;
  readonly mb: number;
}

/** Every way in without a key, each with the worst that an unknown caller can send there. */
export const keylessRequests: Part = {
  name: "keyless",
  seconds: 20,
  measures: ["functions", "infra/local", "lib/auth", "lib/http"],
  apart: true,
  async run() {
    const program = new URL("keyless-case.ts", import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", program], { maxBuffer: 2 ** 26 });
    const costs: readonly KeylessCost[] = JSON.parse(/^COSTS (.*)$/m.exec(stdout)?.[1] ?? "[]");
    const figures = costs.map(({ name, status, ms, mb }) => ({
      name: `keyless.ms: ${name}`,
      value: Math.round(ms),
      unit: "ms" as const,
      baseline: `status ${status}, ${Math.round(mb)} MB`,
    }));
    const most = (of: (cost: KeylessCost) => number): number => Math.round(Math.max(...costs.map(of)));
    return [
      ...figures,
      { name: "keyless.worst_ms", value: most(({ ms }) => ms), unit: "ms", baseline: "of processor; at most 50" },
      { name: "keyless.worst_mb", value: most(({ mb }) => mb), unit: "MB", baseline: "beside the body; at most 20" },
    ];
  },
};
