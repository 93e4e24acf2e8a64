import type { Delivery } from "../../../lib/ports/queues.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { memoryQueues } from "../ports/queues.ts";
import { memoryTable } from "../ports/table.ts";
import { type Random, randomOf } from "../random.ts";
import { Scheduler, type Weather } from "../scheduler.ts";
import { rowOf, sentFingerprint } from "./exceptions.ts";
import { type Command, type DrainedException, Judge, type StoredException, type Work } from "./judge.ts";
import * as product from "./product.ts";
import { AUTOMATIC_KINDS, type Choice, type Plan, type Scenario, type SentMessage, START, scenarioOf } from "./scenario.ts";
import { Violation } from "./violation.ts";

export interface Run {
  readonly seed: number;
  readonly steps: number;
  readonly exceptions: number;
  readonly commands: number;
  /** What went wrong, if anything did. */
  readonly failure: Error | null;
  readonly trace: readonly string[];
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Clocks of two machines differ by up to twice this. */
const SKEW_MS = 5 * SECOND_MS;

/** A run that takes more is stuck. */
const MAX_STEPS = 60_000;

/** Tries of a command that had no answer. */
const TRIES = 3;

/**
 * Runs one seed: exceptions, imports and the commands of several people at once, with lost answers, late indexes, kills and messages that
 * come twice; then calm weather, in which all work comes to its end. The judge watches every write.
 */
export const simulate = async (seed: number, options: { readonly trace?: boolean } = {}): Promise<Run> => {
  const fingerprints = await automaticFingerprints();
  const random = randomOf(seed);
  const scenario = scenarioOf(random);
  const scheduler = new Scheduler(random, scenario.start, weatherOf(random), options.trace ?? false);
  const judge = new Judge();
  let failure: Error | null = null;
  try {
    await begin(random, scenario, scheduler, judge, (kind) => sentFingerprint(kind) ?? fingerprints[kind] ?? "").run();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  }
  return { seed, steps: scheduler.steps, exceptions: judge.events, commands: judge.commands, failure, trace: scheduler.trace };
};

const begin = (random: Random, scenario: Scenario, scheduler: Scheduler, judge: Judge, fingerprintOf: (kind: number) => string) => {
  const faultRate = random.pick([0, 0, 0.01, 0.04]);
  const table = memoryTable({
    step: scheduler.step,
    random: random.next,
    now: scheduler.now,
    faults: {
      throttled: faultRate / 2,
      lostAnswer: faultRate,
      repeated: faultRate,
      stale: 0.2,
      shortPage: random.pick([0, 0.3]),
      interleaved: random.pick([0, 0.3]),
      indexLagCalls: random.pick([0, 10, 60]),
    },
    changed(changes) {
      try {
        judge.written(scheduler.actor, changes);
      } catch (error) {
        // Whoever wrote may catch what is thrown here.
        violation ??= error;
        throw error;
      }
    },
  });
  const queues = memoryQueues(scheduler, random, { again: 0.25, shared: random.pick([0.05, 0.5]), refused: faultRate });
  const messages = new Map(scenario.messages.map((message) => [message.name, message]));
  let violation: unknown;
  const until = (done: () => boolean): Promise<void> =>
    scheduler.run(() => {
      if (violation !== undefined) throw violation;
      return done();
    }, MAX_STEPS);
  /** Commands and clients that are not done. */
  let running = 0;

  const newParts = (): product.Parts => {
    const skew = random.int(-SKEW_MS, SKEW_MS);
    const clock = { now: () => scheduler.now() + skew };
    return {
      ...{ table, queues, clock },
      ids: newIds(random, clock.now),
      objects: memoryObjects(),
      log: { line: (_, event, fields) => scheduler.note(`${event} ${JSON.stringify(fields)}`) },
    };
  };

  /** Works off a queue for ever; what fails comes again when its visibility ends. */
  const poller = (queue: "live" | "historical" | "jobs", name: string, handle: typeof drain): void => {
    const life = async (): Promise<void> => {
      const parts = newParts();
      for (;;) {
        const deliveries = await queues.receive(queue, 3, 3 * MINUTE_MS);
        if (await attempt(() => handle(name, parts, deliveries)))
          await attempt(() =>
            queues.acknowledge(
              queue,
              deliveries.map(({ id }) => id),
            ),
          );
      }
    };
    scheduler.spawn(name, life, {
      died() {
        judge.died(name);
        poller(queue, name, handle);
      },
    });
  };

  const drain = async (actor: string, parts: product.Parts, deliveries: readonly Delivery[]): Promise<void> => {
    const rows = deliveries.flatMap(({ body }) => {
      const { name, exceptions } = messageNamed(body);
      return exceptions.map((sent, index) => ({ sent, row: rowOf(sent, name, index), delivery: `${name}:0` }));
    });
    const events = rows.map(({ sent }): DrainedException => ({ ...sent, fingerprint: fingerprintOf(sent.kind) }));
    const work = judge.begin(actor, { kind: "drain", events }, parts.clock.now);
    const { stored } = await product.track(parts, rows);
    await scheduler.step("commit");
    const kept = rows.flatMap(({ row, sent }): readonly StoredException[] => {
      const { $exception_fingerprint: fingerprint, $exception_issue_id: issueId } = JSON.parse(stored.get(row)?.properties ?? "{}");
      return stored.has(row) ? [{ sent: { ...sent, fingerprint: fingerprintOf(sent.kind) }, fingerprint, issueId: String(issueId) }] : [];
    });
    judge.drained(work, kept, scenario.limit);
  };

  const messageNamed = (name: string): SentMessage => {
    const found = messages.get(name);
    if (found === undefined) throw new Violation(`nobody sent ${name}`);
    return found;
  };

  const doJobs = async (actor: string, parts: product.Parts, deliveries: readonly Delivery[]): Promise<void> => {
    for (const { body } of deliveries) {
      scheduler.note(`job ${body}`);
      const work = judge.begin(actor, { kind: "settle" }, parts.clock.now);
      const done = await product.settle(parts);
      judge.ended(work);
      if (!done) throw new Unfinished("the job comes again");
    }
  };

  const send = async (message: SentMessage): Promise<void> => {
    let left = [{ id: message.name, body: message.name }];
    while (left.length > 0) {
      const failed = await queues.send(message.imported ? "historical" : "live", left);
      left = left.filter(({ id }) => failed.includes(id));
    }
  };

  /** The ids that are meant; null while an issue of theirs has no exception yet. */
  const idOf = ({ kind, first }: Choice): string | null => {
    const fingerprint = fingerprintOf(kind);
    return (first ? judge.firstIssue(fingerprint) : judge.stored.fingerprints.get(fingerprint)?.issueId) ?? null;
  };

  const commandOf = (plan: Plan): Command | null => {
    switch (plan.kind) {
      case "merge":
      case "unmerge": {
        const target = idOf(plan.target);
        const ids = plan.ids.map(idOf).filter((id) => id !== null);
        return target === null || ids.length === 0 ? null : { kind: plan.kind, target, ids };
      }
      case "split": {
        const issue = idOf(plan.issue);
        return issue === null ? null : { kind: "split", issue, fingerprints: plan.fingerprints.map(fingerprintOf) };
      }
      case "status": {
        const issue = idOf(plan.issue);
        return issue === null ? null : { kind: "status", issue, status: plan.status };
      }
    }
  };

  const command = (name: string, pauseMs: number, plan: Plan, asked: Command | null, tries: number): void => {
    running += 1;
    let over = false;
    const again = (known: Command | null): void => {
      // What was read beside a read that failed may still be under way, and die.
      if (over) return;
      over = true;
      running -= 1;
      if (tries > 1 && random.chance(0.7)) command(`${name}'`, random.next() * 10 * SECOND_MS, plan, known, tries - 1);
    };
    let known = asked;
    const life = async (): Promise<void> => {
      await scheduler.sleep(pauseMs);
      known ??= commandOf(plan);
      if (known === null) return again(null);
      const parts = newParts();
      await scheduler.step(`asks ${JSON.stringify(known)}`);
      const work = judge.begin(name, known, parts.clock.now);
      if (!(await attempt(() => ask(work, parts)))) return again(known);
      over = true;
      running -= 1;
    };
    scheduler.spawn(name, life, {
      died() {
        judge.died(name);
        again(known);
      },
    });
  };

  const ask = async (work: Work, parts: product.Parts): Promise<void> => {
    const { command } = work;
    const note = <T extends object | null>(answer: T): T => {
      scheduler.note(`is answered ${JSON.stringify(answer)}`);
      return answer;
    };
    if (command.kind === "merge") judge.merged(work, note(await product.merge(parts, command.target, command.ids)));
    if (command.kind === "unmerge") judge.unmerged(work, note(await product.unmerge(parts, command.target, command.ids)));
    if (command.kind === "split") judge.splitUp(work, note(await product.split(parts, command.issue, command.fingerprints)));
    if (command.kind === "status") judge.statusSet(work, note(await product.setStatus(parts, command.issue, command.status)));
  };

  /** Whether it came to its end: faults of the ports end it, and whoever wants it done asks again. */
  const attempt = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Error) || !(PORT_FAULTS.has(error.name) || error.message.startsWith(NOT_SENT))) throw error;
      scheduler.note(`fails: ${error.name} ${error.message}`);
      return false;
    }
  };

  const run = async (): Promise<void> => {
    running += 2;
    let ready = false;
    scheduler.spawn("settings", async () => {
      while (!(await attempt(() => product.configure(newParts(), scenario)))) scheduler.note("once more");
      ready = true;
    });
    await until(() => ready);
    scheduler.spawn("client", async () => {
      for (const message of scenario.messages) {
        await scheduler.sleep(message.gapMs);
        await send(message);
      }
      running -= 1;
    });
    scheduler.spawn("people", async () => {
      for (const [at, { gapMs, plans }] of scenario.groups.entries()) {
        await scheduler.sleep(gapMs);
        for (const [place, plan] of plans.entries())
          command(`${plan.kind} ${at}.${place}`, random.chance(0.5) ? 0 : random.next() * gapMs, plan, null, TRIES);
      }
      running -= 1;
    });
    for (let at = 0; at < scenario.ingesters; at += 1) {
      poller("live", `ingest live ${at}`, drain);
      poller("historical", `ingest history ${at}`, drain);
    }
    for (let at = 0; at < scenario.workers; at += 1) poller("jobs", `jobs ${at}`, doJobs);
    await until(() => running === 0 && queues.left("live") + queues.left("historical") === 0);
    await calm();
  };

  const left = (): number => queues.left("live") + queues.left("historical") + queues.left("jobs");
  const redrive = (): number => queues.redrive("live") + queues.redrive("historical") + queues.redrive("jobs");

  const calm = async (): Promise<void> => {
    table.settle();
    queues.calm();
    scheduler.weather = { latencyMs: 20, slow: 0, slowMs: 0, death: 0, freezeMs: 0, betweenSwaps: 0 };
    let done = false;
    scheduler.spawn("calm", async () => {
      const parts = newParts();
      while (redrive() + left() > 0) await scheduler.sleep(MINUTE_MS);
      while (!(await product.settle(parts))) await scheduler.sleep(MINUTE_MS);
      judge.checkEnd();
      for (const { exceptions } of scenario.messages)
        for (const { uuid } of exceptions) if (!judge.hasAnswered(uuid)) throw new Violation(`the exception ${uuid} is lost`);
      for (const id of judge.forest.ids) {
        const found = await product.find(parts, id);
        if (found?.id !== judge.forest.root(id))
          throw new Violation(`issue ${id} is found as ${found?.id}, and leads to ${judge.forest.root(id)}`);
      }
      done = true;
    });
    await until(() => done);
  };
  return { run };
};

/** A job that was not ended is not acknowledged. */
class Unfinished extends Error {
  override readonly name = "Unfinished";
}

/** What ports throw, and what the product lets through of it: the client is told 500 and may ask again. */
const PORT_FAULTS: ReadonlySet<string> = new Set(["TableFault", "Conflict", "ConditionFailed", "Unfinished"]);

/** What the product says where a queue did not take a message. */
const NOT_SENT = "the queue did not take";

const weatherOf = (random: Random): Weather => ({
  latencyMs: random.pick([5, 40, 400]),
  slow: random.pick([0, 0.02, 0.1]),
  slowMs: 20 * SECOND_MS,
  death: random.pick([0, 0, 0.003, 0.02]),
  freezeMs: 0,
  betweenSwaps: 0,
});

/** UUIDs of version 7: those of later milliseconds and of later calls come later. */
const newIds = (random: Random, now: () => number): product.Parts["ids"] => {
  const own = random.int(0, 0xffff).toString(16).padStart(4, "0");
  let counter = 0;
  const uuid = (): string => {
    const time = Math.floor(now()).toString(16).padStart(12, "0");
    counter += 1;
    return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${own}${counter.toString(16).padStart(8, "0")}`;
  };
  return { uuid, ulid: () => uuid().replaceAll("-", "").slice(0, 26).toUpperCase(), secret: (bytes) => new Uint8Array(bytes) };
};

let automatic: Promise<readonly string[]> | undefined;

/** The fingerprints of those kinds for which clients send none, as the product works them out: one for each. */
const automaticFingerprints = (): Promise<readonly string[]> => {
  automatic ??= (async () => {
    const kinds = Array.from({ length: AUTOMATIC_KINDS }, (_, kind) => kind);
    const random = randomOf(0);
    const clock = { now: () => START };
    const parts = {
      table: memoryTable(),
      queues: { send: async () => [] },
      clock,
      ids: newIds(random, clock.now),
      objects: memoryObjects(),
      log: { line: () => undefined },
    };
    const rows = kinds.map((kind) => ({
      row: rowOf({ uuid: `0195a000-0000-7000-8000-00000000000${kind}`, kind, at: 0, imported: false }, "first", kind),
      delivery: "first",
    }));
    const { stored } = await product.track(parts, rows);
    const found = rows.map(({ row }) => String(JSON.parse(stored.get(row)?.properties ?? "{}").$exception_fingerprint));
    if (new Set(found).size !== kinds.length) throw new Violation(`kinds of exceptions share fingerprints: ${found}`);
    return found;
  })();
  return automatic;
};
