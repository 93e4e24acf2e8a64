import { billing } from "../../../functions/billing/routes.ts";
import { closeDue } from "../../../functions/closing/schedule.ts";
import type { World } from "../../../lib/app/world.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { partitionAt } from "../../../lib/event/time-partitions.ts";
import { readConfig } from "../../../lib/ports/config.ts";
import type { CountName } from "../../../lib/ports/counts.ts";
import { readRollUp, replaceRollUp, withProject } from "../../../lib/usage/roll-ups.ts";
import { decodeRuns } from "../../../lib/usage/runs.ts";
import { memoryObjects } from "../memory-objects.ts";
import { type Asked, aHousehold, apiWorld, ask } from "./api-world.ts";

/** Milliseconds at the beginning of a day of 2026; months from 1. */
export const day = (month: number, date: number): number => Date.UTC(2026, month - 1, date);

/** One customer of a platform whose clock the test turns, with its calls through the front door. */
export const billingWorld = async (start: number, settings: Readonly<Record<string, string>> = {}, parts: Partial<World> = {}) => {
  const config = readConfig((field) => settings[field]);
  const counted: CountName[] = [];
  const counts = { add: async (name: CountName) => void counted.push(name) };
  const { world, time, log } = apiWorld({ objects: memoryObjects(), config, counts, ...parts });
  time.now = start;
  const { organization, key } = await aHousehold(world, 1);
  const call = (method: string, path: string, asked: Asked = {}) => ask(billing, world, method, `/api/billing/${path}`, { key, ...asked });
  return {
    world,
    log,
    /** What was counted for alarms. */
    counted,
    organization,
    key,
    call,
    at: (now: number): void => {
      time.now = now;
    },
    post: (path: string, body: object, idempotency?: string) =>
      call("POST", path, { body, ...(idempotency !== undefined && { headers: { "idempotency-key": idempotency } }) }),
    get: async (path: string) => (await call("GET", path)).json,
    /** Says how many units a project used on a day; the last word counts. */
    async use(on: number, units: number, { type = "event_count_in_period", project = 1 } = {}): Promise<void> {
      const partition = partitionAt(BigInt(on) * 1_000n);
      const { item, rollUp } = await readRollUp(world, organization.id, partition);
      const days = decodeRuns(rollUp.projects[project]?.runs ?? [], rollUp.names, 0, Number.POSITIVE_INFINITY);
      const date = String(on / DAY_MS);
      const entry = { manifest: "m", days: { ...days, [date]: { ...days[date], [type]: units } } };
      await replaceRollUp(world, organization.id, partition, item, withProject(rollUp, project, entry));
    },
    close: () => closeDue(world, { remainingMs: () => 60_000 }),
  };
};
