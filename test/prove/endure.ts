import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { lineTo } from "../fuzz/api/send.ts";
import type { Attack, Shot } from "../hostile/attack.ts";
import { attacksOf } from "../hostile/attacks.ts";
import { fire } from "../hostile/fire.ts";
import { eventually } from "../support/processes/platform.ts";
import { type Proved, startProved } from "./platform.ts";
import { KEY } from "./record.ts";

export interface Endurance {
  readonly minutes: number;
  readonly say: (line: string) => void;
}

const EVENTS_A_REQUEST = 100;
/** For so long requests of all kinds are sent as fast as it goes, to see what the machine drains beside the others. */
const CALIBRATION_MS = 60_000;
const SHARE = 0.8;
const LANES = 4;
/** Of a hundred requests the last asks a query, and the first is hostile. */
const QUERY = 99;
const HOSTILE = 0;
const MINUTE_MS = 60_000;
/** All of an hour's events are too many for every look to go through, so each takes those of one minute. */
const MINUTE = "minute";
const MINUTE_QUERY = `SELECT count(), count(DISTINCT uuid), sum(toInt(properties.n)) FROM events
  WHERE timestamp >= fromUnixTimestamp({variables.minute} * 60) AND timestamp < fromUnixTimestamp({variables.minute} * 60 + 60)`;
const LOOK_EVERY_MS = 1_000;
const RETRY_MS = 100;
/** What memory may grow by from the third quarter of the time to the last. */
const MOST_GROWTH = 1.1;

/** Loads a platform at four fifths of what it drains, with one request in a hundred hostile. Throws where an event is lost or memory grows. */
export const endure = async ({ minutes, say }: Endurance): Promise<void> => {
  const proved = await startProved();
  const memory = watchMemory(() => proved.pid());
  try {
    await proved.save(MINUTE, MINUTE_QUERY, { minute: 0 });
    const load = newLoad(proved);
    const attacks = newAttacks(proved);
    const request = async (number: number): Promise<void> => {
      const kind = number % 100;
      if (kind === HOSTILE) await attacks.next();
      else if (kind === QUERY) await load.ask();
      else await load.send();
    };
    const began = performance.now();
    await inLanes(() => performance.now() - began >= CALIBRATION_MS, request);
    await proved.drained();
    const drained = (load.acknowledged() * 1_000) / (performance.now() - began);
    const perSecond = (SHARE * drained) / EVENTS_A_REQUEST;
    say(`drains ${Math.round(drained)} events/s; ${Math.round(SHARE * drained)} events/s are sent`);
    const start = performance.now();
    let told = 0;
    const isOver = (): boolean => performance.now() - start >= minutes * MINUTE_MS;
    await inLanes(isOver, async (number) => {
      const due = start + (number / perSecond) * 1_000;
      if (due > performance.now()) await pause(due - performance.now());
      await request(number);
      const passed = Math.floor((performance.now() - start) / MINUTE_MS);
      if (passed <= told) return;
      told = passed;
      say(`${passed} min: ${load.acknowledged()} events, ${attacks.made()} hostile requests, ${memory.last()} MB`);
    });
    const quarters = memory.quarters(start);
    await proved.drained();
    await eventually(() => load.check(), { budgetMs: 5 * MINUTE_MS, everyMs: LOOK_EVERY_MS });
    say(`${load.acknowledged()} events were acknowledged, and each is there once`);
    const [, , third = 0, last = 0] = quarters;
    say(`memory of the platform, median of each quarter: ${quarters.join(", ")} MB; at most ${memory.peak()} MB`);
    if (last > MOST_GROWTH * third) throw new Error(`memory grew from ${third} to ${last} MB`);
    attacks.check();
  } finally {
    memory.stop();
    await proved.stop();
  }
};

/** Runs something in some lanes, each time with its number, until that is over; the first failure ends all. */
const inLanes = async (isOver: () => boolean, run: (number: number) => Promise<void>): Promise<void> => {
  let [next, hasFailed] = [0, false];
  const lane = async (): Promise<void> => {
    while (!isOver() && !hasFailed) await run(next++);
  };
  const failing = (failure: unknown): never => {
    hasFailed = true;
    throw failure;
  };
  await Promise.all(Array.from({ length: LANES }, () => lane().catch(failing)));
};

/** Events that are all different, and what has to be there of them. */
const newLoad = (proved: Proved) => {
  let [made, acknowledged, sum, looks] = [0, 0, 0, 0];
  const least = new Map<number, number>();
  const minuteNow = (): number => Math.floor(Date.now() / MINUTE_MS);
  const first = minuteNow();
  const counts = async (minute: number): Promise<readonly number[] | undefined> => {
    const [row] = (await proved.run(MINUTE, { variables: { minute } })) ?? [];
    return row?.map(Number);
  };
  return {
    acknowledged: () => acknowledged,
    async send(): Promise<void> {
      const numbers = Array.from({ length: EVENTS_A_REQUEST }, () => made++);
      const batch = numbers.map((n) => ({
        event: "load",
        distinct_id: `user-${n % 5_000}`,
        properties: { n, plan: ["free", "team", "large"][n % 3], page: `/page/${n % 97}`, $set: { seen: n % 10 } },
      }));
      const body = JSON.stringify({ api_key: KEY, batch });
      while (!(await proved.send("/batch/", body, made % 2 === 0))) await pause(RETRY_MS);
      acknowledged += numbers.length;
      sum += numbers.reduce((all, n) => all + n, 0);
    },
    /** Looks at this minute, and at every one before it in turn: what is there never becomes less, and is never there twice. */
    async ask(): Promise<void> {
      const past = minuteNow() - first;
      const minute = first + (looks % 2 === 0 ? past : Math.floor(looks / 2) % (past + 1));
      looks += 1;
      const before = least.get(minute) ?? 0;
      const counted = await counts(minute);
      if (counted === undefined) return;
      const [all = 0, different = 0] = counted;
      if (all !== different) throw new Error(`${all} rows are there of a minute, of which ${different} differ`);
      if (all < before) throw new Error(`${all} events are there of a minute, and ${before} were before`);
      least.set(minute, Math.max(least.get(minute) ?? 0, all));
    },
    async check(): Promise<void> {
      let [all, different, total] = [0, 0, 0];
      for (let minute = first; minute <= minuteNow(); minute += 1) {
        const counted = await counts(minute);
        all += counted?.[0] ?? 0;
        different += counted?.[1] ?? 0;
        total += counted?.[2] ?? 0;
      }
      if (all !== acknowledged || different !== acknowledged || total !== sum)
        throw new Error(`${all} rows (${different} different, sum ${total}) of ${acknowledged} acknowledged events (sum ${sum})`);
    },
  };
};

/** The requests of all attacks, one after another and again from the beginning. */
const newAttacks = (proved: Proved) => {
  const line = lineTo(proved.origin);
  const faults: string[] = [];
  let [made, round] = [0, 0];
  let waiting: (readonly [Shot, Attack])[] = [];
  return {
    made: () => made,
    async next(): Promise<void> {
      if (waiting.length === 0) {
        const attacks = attacksOf(proved.attacker, `round-${round++}`);
        waiting = attacks.flatMap((attack) => attack.shots.map((shot) => [shot, attack] as const));
      }
      const [shot, attack] = waiting.shift() ?? [];
      if (shot === undefined) return;
      const statuses = await fire(line, proved.origin, shot).catch((cause: unknown) => {
        throw new Error(`${shot.method} ${shot.path} was not answered`, { cause });
      });
      made += statuses.length;
      const wrong = statuses.filter((status) => status >= 500 && status !== attack?.refusal);
      if (wrong.length > 0) faults.push(`${attack?.name}, ${shot.method} ${shot.path}: ${wrong.join(", ")}`);
    },
    check(): void {
      line.close();
      if (faults.length > 0) throw new Error(`hostile requests were answered with faults: ${faults.slice(0, 10).join("; ")}`);
    },
  };
};

/** The memory of a process, looked at now and then. */
const watchMemory = (pidOf: () => number) => {
  const seen: { readonly at: number; readonly mb: number }[] = [];
  const look = setInterval(() => {
    const [, kilobytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pidOf()}/status`, "utf8")) ?? [];
    seen.push({ at: performance.now(), mb: Math.round(Number(kilobytes) / 1_000) });
  }, LOOK_EVERY_MS);
  return {
    last: () => seen.at(-1)?.mb ?? 0,
    peak: () => Math.max(0, ...seen.map(({ mb }) => mb)),
    /** The median of each quarter of the time since a moment. */
    quarters(from: number): readonly number[] {
      const since = seen.filter(({ at }) => at >= from).map(({ mb }) => mb);
      const size = since.length / 4;
      return [0, 1, 2, 3].map((quarter) => medianOf(since.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size))));
    },
    stop: () => clearInterval(look),
  };
};

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
