import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { compareAll } from "./compare.ts";
import { killedOnce } from "./killed-once.ts";
import { startProved } from "./platform.ts";
import { deliver } from "./prove.ts";
import { recordOf } from "./record.ts";
import { GROUP_TYPES, trafficOf } from "./traffic.ts";

const LANES = 3;

const Page = z.object({ began_at: z.string() });

test("what was acknowledged before a backup under load is restored, each event once, and nothing else, through kills of both", async () => {
  const began = Date.now();
  const traffic = trafficOf(11, 2_000, began);
  const folder = await mkdtemp(join(tmpdir(), "drill-"));
  const [copy, restored] = [join(folder, "copy"), join(folder, "restored")];
  const proved = await startProved();
  try {
    const record = recordOf(traffic, proved.project, []);
    const takenAt = new Map<number, number>();
    const send = async (number: number): Promise<void> => {
      await deliver(proved, record, traffic.of(number));
      takenAt.set(number, Date.now());
    };
    for (let number = 0; number < GROUP_TYPES.length; number += 1) {
      await send(number);
      await proved.drained();
    }
    const others = Array.from({ length: traffic.requests - GROUP_TYPES.length }, (_, at) => GROUP_TYPES.length + at);
    const before = others.splice(0, others.length >> 1);
    for (const number of before) await send(number);

    // What recorders told is only counted: of what is sent meanwhile nobody could say whether it is in the copy.
    const isSeen = (number: number): boolean => traffic.of(number).path !== "/s/";
    const meanwhile = others.filter(isSeen);
    let isOver = false;
    const lane = async (): Promise<void> => {
      for (let number = meanwhile.shift(); number !== undefined && !isOver; number = meanwhile.shift()) await send(number);
    };
    const load = Promise.all(Array.from({ length: LANES }, lane));
    const backup = ["backup", "--to", copy, "--data-dir", proved.dataDir()];
    expect(await killedOnce(backup, () => globSync("objects/**/*.parquet", { cwd: copy }).length)).toMatchObject({ code: 0, err: "" });
    isOver = true;
    await load;
    const page = Page.parse(JSON.parse(await readFile(join(copy, "backup.json"), "utf8")));
    const taken = [...takenAt].filter(([, at]) => at < Date.parse(page.began_at)).map(([number]) => number);
    expect(taken.length).toBeGreaterThanOrEqual(before.length);

    const restore = ["restore", "--from", copy, "--data-dir", restored, "--deep"];
    const put = () => globSync("restored.restoring/store/objects/buckets/lake/objects/**/*.parquet.data", { cwd: folder }).length;
    const { code, out } = await killedOnce(restore, put);
    expect({ code, verified: JSON.parse(out).verified }).toMatchObject({ code: 0, verified: { ok: true, problems: [] } });

    await proved.startOn(restored);
    await proved.drained();
    await compareAll(proved, record, traffic, () => undefined, taken);

    for (let number = 0; number < traffic.requests; number += 1) if (!taken.includes(number)) await send(number);
    await proved.drained();
    await compareAll(proved, record, traffic, () => undefined);
  } finally {
    await proved.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
