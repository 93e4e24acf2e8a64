import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fuzzApi } from "./fuzz.ts";
import { SETTINGS } from "./settings.ts";

/** Says what was answered, and each fault the first time that it is met. Gives back how many kinds of faults there were. */
export const fuzzTheApi = async (requests: number, seed: number, say: (line: string) => void): Promise<number> => {
  Object.assign(process.env, SETTINGS);
  const dataDir = await mkdtemp(join(tmpdir(), "fuzz-"));
  const began = performance.now();
  try {
    const { statuses, faults } = await fuzzApi({
      ...{ requests, seed, dataDir },
      blame: (fault) => say(`FAULT ${fault}`),
      left: (more) => say(`${more} requests to go`),
    });
    say(`${requests} requests (seed ${seed}) in ${Math.round((performance.now() - began) / 1_000)} s, ${faults.size} kinds of faults`);
    for (const [status, times] of [...statuses].sort(([a], [b]) => a - b)) say(`  ${status}: ${times}`);
    for (const [kind, times] of faults) say(`  ${times} times ${kind}`);
    return faults.size;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
};
