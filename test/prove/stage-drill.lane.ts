import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import * as z from "zod";
import { startStore } from "../../infra/local/stores/queue-and-objects.ts";
import { startAws } from "../support/aws/aws.ts";
import { startProcess } from "../support/processes/platform-process.ts";
import { compareAll } from "./compare.ts";
import { killedOnce } from "./killed-once.ts";
import { startProved } from "./platform.ts";
import { deliver } from "./prove.ts";
import { recordOf } from "./record.ts";
import { GROUP_TYPES, trafficOf } from "./traffic.ts";

const Done = z.object({ began_at: z.string(), objects: z.number() });

/** What a lane was sent longer ago than this and does not hold is stored: SQS's counts lag a minute behind. */
const LAG_MS = 61_000;
const PLACE = "s3://backups/drill";

test("a backup of a stage under load, killed and gone on with, fills an empty stage that is awake with what it says it holds, each event once", async () => {
  const traffic = trafficOf(12, 1_200, Date.now());
  const folder = await mkdtemp(join(tmpdir(), "stage-drill-"));
  const restored = join(folder, "restored");
  const backups = await startStore(join(folder, "bucket"));
  const aws = await startAws(backups.endpoint);
  const proved = await startProved();
  const fresh = await startProcess(restored);
  try {
    const environment = { old: aws.addStage("old", proved.dataDir()), new: aws.addStage("new", restored) };
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
    await proved.drained();
    await pause(LAG_MS);

    // What recorders told is only counted: of what is sent meanwhile nobody could say whether it is in the copy.
    const meanwhile = others.filter((number) => traffic.of(number).path !== "/s/");
    let isOver = false;
    const load = (async () => {
      for (let number = meanwhile.shift(); number !== undefined && !isOver; number = meanwhile.shift()) await send(number);
    })();
    const backup = ["backup", "--to", PLACE, "--stack", "old"];
    const backedUp = await killedOnce(backup, () => aws.buckets.copied.length, environment.old);
    expect(backedUp).toMatchObject({ code: 0 });
    isOver = true;
    await load;
    const { began_at, objects } = Done.parse(JSON.parse(backedUp.out));
    const copied = [...aws.buckets.copied];
    expect(new Set(copied).size).toBe(copied.length);
    expect(objects).toBeLessThanOrEqual(copied.length);
    const taken = [...takenAt].filter(([, at]) => at < Date.parse(began_at)).map(([number]) => number);
    expect(taken.length).toBeGreaterThanOrEqual(before.length);

    const put = () => aws.buckets.copied.length - copied.length;
    const { code, out, err } = await killedOnce(["restore", "--from", PLACE, "--stack", "new", "--deep"], put, environment.new);
    expect({ code, err, said: code === 0 ? "" : out }).toEqual({ code: 0, err: "", said: "" });
    expect(JSON.parse(out).verified).toMatchObject({ ok: true, problems: [] });

    await fresh.kill();
    await proved.startOn(restored);
    await proved.drained();
    await compareAll(proved, record, traffic, () => undefined, taken);

    for (let number = 0; number < traffic.requests; number += 1) if (!taken.includes(number)) await send(number);
    await proved.drained();
    await compareAll(proved, record, traffic, () => undefined);
  } finally {
    await fresh.kill();
    await proved.stop();
    await aws.stop();
    await backups.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
