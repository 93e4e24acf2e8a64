import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod";
import { lineTo } from "../fuzz/api/send.ts";
import { type ATenant, eventually } from "../support/processes/platform.ts";
import { sqlQuery } from "../support/samples/saved-query.ts";
import { JSON_TYPE } from "./attack.ts";

/** The worst of what somebody else saw for a while, milliseconds. */
export interface Seen {
  /** Of the answers to trivial requests. */
  readonly answerMs: number;
  /** Until an event that was taken was counted by a query. */
  readonly eventMs: number;
  /** Until a query that was saved had its first table. */
  readonly tableMs: number;
}

/** Somebody else on the platform, whose requests are each as small as they can be, again and again. */
export interface Bystander {
  /** Begins anew. */
  forget(): void | Promise<void>;
  /** Ends with all that was begun before it: what the attack left to be done is seen, too. Throws where an answer was not what it always is. */
  seen(): Promise<Seen>;
  stop(): Promise<void>;
}

const COUNTER = "counter";
const ROUNDS_BEFORE = 3;
const LOOK_EVERY_MS = 50;
/** Whatever waits for longer is lost. */
const PATIENCE = { budgetMs: 300_000, everyMs: LOOK_EVERY_MS };

const Counted = z.object({ results: z.tuple([z.tuple([z.number()])]) });

export const startBystander = async (origin: string, tenant: ATenant): Promise<Bystander> => {
  const lines = [lineTo(origin), lineTo(origin)] as const;
  const headers = { authorization: `Bearer ${tenant.personalKey}`, "content-type": JSON_TYPE };
  const base = `/api/projects/${tenant.projectId}/endpoints/`;
  let worst: Seen = { answerMs: 0, eventMs: 0, tableMs: 0 };
  const worse = (kind: keyof Seen, ms: number): void => {
    worst = { ...worst, [kind]: Math.max(worst[kind], ms) };
  };
  let failure: unknown;
  /** The answer to a request; undefined where the engine is busy for too long and it is told to come again. */
  const asked = async (line: 0 | 1, method: string, path: string, body: unknown): Promise<string | undefined> => {
    const began = performance.now();
    const text = body === undefined ? "" : JSON.stringify(body);
    const answer = await lines[line].send({ method, path, headers, body: Buffer.from(text) });
    if (line === 0) worse("answerMs", performance.now() - began);
    if (answer.status === 429) return undefined;
    if (answer.status >= 300) throw new Error(`${method} ${path} of somebody else was answered ${answer.status}: ${answer.body}`);
    return answer.body;
  };

  /** When each event was sent that no query has counted yet, after those that were. */
  const sent: number[] = [];
  let counted = 0;
  const count = async (): Promise<void> => {
    const answer = await asked(0, "POST", `${base}${COUNTER}/run/`, { refresh: "force" });
    if (answer === undefined) return;
    const [[now]] = Counted.parse(JSON.parse(answer)).results;
    for (; counted < now; counted += 1) worse("eventMs", performance.now() - (sent[counted] ?? 0));
  };
  const round = async (): Promise<void> => {
    sent.push(performance.now());
    await asked(0, "POST", "/batch/", { api_key: tenant.projectToken, batch: [{ event: "seen", distinct_id: "bystander" }] });
    await asked(0, "GET", `${base}${COUNTER}/`, undefined);
    await count();
  };
  const table = async (number: number): Promise<void> => {
    const name = `table-${number}`;
    const began = performance.now();
    await asked(1, "POST", base, { name, query: sqlQuery("SELECT 1 AS x"), is_materialized: true });
    await eventually(async () => {
      const status = await asked(1, "GET", `${base}${name}/materialization_status/`, undefined);
      if (!status?.includes('"Completed"')) throw new Error(`the table of ${name} is not made: ${status}`);
    }, PATIENCE);
    worse("tableMs", performance.now() - began);
    await asked(1, "DELETE", `${base}${name}/`, undefined);
  };

  await asked(0, "POST", base, { name: COUNTER, query: sqlQuery("SELECT count() FROM events") });
  for (let before = 0; before < ROUNDS_BEFORE; before += 1) await round();
  await table(0);

  const stopping = new AbortController();
  const again = async (work: () => Promise<void>): Promise<void> => {
    while (!stopping.signal.aborted) await work();
  };
  // `made` is the number of the table that is being made.
  let [rounds, made] = [0, 0];
  const going = Promise.all([
    again(async () => {
      await round();
      rounds += 1;
    }),
    again(async () => {
      made += 1;
      await table(made);
    }),
  ]).catch((thrown: unknown) => {
    failure = thrown;
    stopping.abort();
  });
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    forget() {
      worst = { answerMs: 0, eventMs: 0, tableMs: 0 };
    },
    async seen() {
      const until = { rounds: rounds + 2, made: made + 2, events: sent.length };
      while (failure === undefined && (rounds < until.rounds || made < until.made || counted < until.events)) await pause(LOOK_EVERY_MS);
      check();
      return worst;
    },
    async stop() {
      stopping.abort();
      await going;
      for (const line of lines) line.close();
    },
  };
};
