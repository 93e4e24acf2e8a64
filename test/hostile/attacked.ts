import { lineTo } from "../fuzz/api/send.ts";
import { type ATenant, eventually } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import type { Attack, Shot } from "./attacks.ts";

/** What an attack did, milliseconds. */
export interface Outcome {
  readonly name: string;
  /** How long the attacker waited for an answer, at most. */
  readonly slowestMs: number;
  /** How long somebody else did meanwhile. */
  readonly othersMs: number;
  /** Answers that tell of a fault of the service. */
  readonly faults: readonly number[];
}

/** Somebody else's requests, each as small as it can be, again and again. */
interface Bystander {
  /** The slowest answer since it was asked last. Throws where one was not what it always is. */
  slowest(): number;
  stop(): Promise<void>;
}

const NAME = "trivial";
const ROUNDS_BEFORE = 3;

const startBystander = async (origin: string, tenant: ATenant): Promise<Bystander> => {
  const line = lineTo(origin);
  const headers = { authorization: `Bearer ${tenant.personalKey}`, "content-type": "application/json" };
  const base = `/api/projects/${tenant.projectId}/endpoints/`;
  const post = (path: string, body: unknown, ...expected: readonly number[]): readonly [Shot, readonly number[]] => [
    { method: "POST", path, headers, body: JSON.stringify(body) },
    expected,
  ];
  const event = { api_key: tenant.projectToken, batch: [{ event: "seen", distinct_id: "bystander" }] };
  const requests = [
    post("/batch/", event, 200),
    [{ method: "GET", path: `${base}${NAME}/`, headers, body: "" }, [200]],
    // Where the engine is busy for too long, it is told to come again.
    post(`${base}${NAME}/run/`, { refresh: "force" }, 200, 429),
  ] as const;
  let [slowest, isOver] = [0, false];
  let wrong: string | undefined;
  const ask = async ([shot, expected]: readonly [Shot, readonly number[]]): Promise<void> => {
    const began = performance.now();
    const { status, body } = await line.send({ ...shot, body: Buffer.from(shot.body) });
    slowest = Math.max(slowest, performance.now() - began);
    if (!expected.includes(status)) wrong = `${shot.method} ${shot.path} of somebody else was answered ${status}: ${body}`;
  };
  await ask(post(base, { name: NAME, query: sqlQuery("SELECT 1") }, 201));
  for (let round = 0; round < ROUNDS_BEFORE; round += 1) for (const request of requests) await ask(request);
  const asking = (async () => {
    while (!isOver) for (const request of requests) await ask(request);
  })();
  return {
    slowest() {
      const seen = slowest;
      slowest = 0;
      if (wrong !== undefined) throw new Error(wrong);
      return seen;
    },
    async stop() {
      isOver = true;
      await asking;
      line.close();
    },
  };
};

/** Makes each attack while somebody else goes on asking. */
export const attacked = async (
  origin: string,
  bystander: ATenant,
  attacks: readonly Attack[],
  tell: (outcome: Outcome) => void = () => undefined,
): Promise<readonly Outcome[]> => {
  const other = await startBystander(origin, bystander);
  const line = lineTo(origin);
  const outcomes: Outcome[] = [];
  try {
    for (const { name, shots } of attacks) {
      let slowestMs = 0;
      const faults: number[] = [];
      other.slowest();
      for (const shot of shots) {
        const began = performance.now();
        const { status } = await line.send({ ...shot, body: Buffer.from(shot.body) });
        slowestMs = Math.max(slowestMs, performance.now() - began);
        if (status >= 500) faults.push(status);
      }
      // What began while the attack went on is seen, too.
      const othersMs = await eventually(() => seen(other));
      const outcome = { name, slowestMs, othersMs, faults };
      tell(outcome);
      outcomes.push(outcome);
    }
  } finally {
    await other.stop();
    line.close();
  }
  return outcomes;
};

const seen = (other: Bystander): number => {
  const slowest = other.slowest();
  if (slowest === 0) throw new Error("nobody else was answered meanwhile");
  return slowest;
};
