import { ingest } from "../../functions/ingest/ingest.ts";
import type { MergeSizes } from "../../lib/engine/storage/merge-pieces.ts";
import { organizationOfProject } from "../../lib/projects/projects.ts";
// Loaded before the first run: nothing may wait for the disk within one.
import "../../functions/jobs/fold.ts";
import "../../functions/jobs/publish.ts";
import "../../lib/iceberg/published-keys.ts";
import "../../lib/lake/persons/delta-files.ts";
import { dispatch } from "../../functions/jobs/dispatch.ts";
import type { World } from "../../lib/app/world.ts";
import { GENERATION, NEXT_GENERATION, writeGeneration } from "../../lib/core/formats.ts";
import { Defect } from "../../lib/core/unreachable.ts";
import type { EventRow } from "../../lib/event/event.ts";
import { type Job, jobText, readJob, sendJobs } from "../../lib/jobs/jobs.ts";
import type { FileFacts, PinnedState } from "../../lib/lake/catalogue.ts";
import { COMMIT_SIZES } from "../../lib/lake/commit.ts";
import { readGroupTypes } from "../../lib/lake/group-types.ts";
import { initialHead, tombstone } from "../../lib/lake/head.ts";
import { type EventRange, pin, planEvents } from "../../lib/lake/pin.ts";
import { POLICIES, type Policy } from "../../lib/lake/policy.ts";
import { seenSources } from "../../lib/lake/removals.ts";
import { removeRows } from "../../lib/lake/remove-rows.ts";
import type { RowFiles } from "../../lib/lake/row-files.ts";
import { sweep, sweepMemory } from "../../lib/lake/sweep.ts";
import type { Objects } from "../../lib/ports/objects.ts";
import type { Delivery, QueueName } from "../../lib/ports/queues.ts";
import { ConditionFailed, type Write } from "../../lib/ports/table.ts";
import { countUsage } from "../../lib/usage/day-counts.ts";
import type { Copy } from "../model/copies.ts";
import type { Removed } from "../model/removals.ts";
import { tellAbsorbed } from "./absorptions.ts";
import { composed, receivedAt, type Taken, taken } from "./delivery.ts";
import { checkBytes, checkNamed, checkStore, namedBy } from "./final.ts";
import { Ledger, type Shown, Violation } from "./ledger.ts";
import { checkColumns, checkPeople, checkPeopleBetween, namedProperties, peopleSeen } from "./persons.ts";
import { type EngineRowFiles, engineRowFiles } from "./ports/engine-row-files.ts";
import { memoryObjects } from "./ports/objects.ts";
import { memoryQueues } from "./ports/queues.ts";
import { FileMissing, memoryRowFiles, readRows, rowLists } from "./ports/row-files.ts";
import { memoryTable } from "./ports/table.ts";
import { newProcess, type Shared } from "./processes.ts";
import { checkPublished, checkPublishedIsLast, type HeadHistory, tellPublished } from "./published.ts";
import { type Random, randomOf } from "./random.ts";
import { asksFor, EVERYTHING, rangeOf } from "./ranges.ts";
import { type PlannedRemoval, plannedRemovals, removalOf, withImports } from "./removals.ts";
import { policyWithout, type Safeguard } from "./safeguards.ts";
import { type Scenario, type SentRequest, scenarioOf } from "./scenario.ts";
import { Scheduler, type Weather } from "./scheduler.ts";
import { checkTypes, checkTypesOfRows, typesKnown } from "./types.ts";
import { checkUsage, checkUsageOfFiles, projectWrite } from "./usage.ts";

export interface Run {
  readonly seed: number;
  readonly steps: number;
  /** What went wrong, if anything did. */
  readonly failure: Error | null;
  readonly trace: readonly string[];
}

/** Small numbers, so that a handful of rows goes through every job; the stays are the real ones. */
const POLICY: Policy = {
  ...POLICIES.deployed,
  gatherCommits: 3,
  gatherRows: 6,
  gatherRowsAgeMs: 20_000,
  gatherAgeMs: 120_000,
  historyQuietMs: 40_000,
  historyRows: 10,
  historyAgeMs: 300_000,
  tierFiles: 3,
  tierSpread: 4,
  rewriteMinRows: 6,
  fileRows: 5,
  fileBytes: 4_000,
  resendMs: 5_000,
  laterEveryMs: 0,
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Some of them end before a drain does. */
const INGEST_BUDGETS_MS = [MINUTE_MS, MINUTE_MS, MINUTE_MS, 100] as const;

const SWEEP = "sweep";

/** What only the body of a message says that asks for the usage of what was gathered. */
const USAGE_JOB = '"kind":"usage"';

/** A run that takes more is stuck. Half as many are hours of bad weather in which each sweep asks again for what failed. */
const MAX_STEPS = 250_000;

/** Runs one seed: a storm with every fault, then calm weather in which all work must come to its end, then the checks. */
export const simulate = async (seed: number, options: { readonly missing?: Safeguard; readonly trace?: boolean } = {}): Promise<Run> => {
  const random = randomOf(seed);
  const hasEngine = seed % ENGINE_EVERY === 0;
  const planned = scenarioOf(random, { isSmall: hasEngine });
  const hasRemovals = seed % REMOVES_EVERY === 3 || seed % (2 * ENGINE_EVERY) === 0;
  const scenario = hasRemovals ? withImports(random, planned) : planned;
  const removals = hasRemovals ? plannedRemovals(random, scenario) : [];
  const scheduler = new Scheduler(random, scenario.start, weatherOf(random), options.trace ?? false);
  const isMixed = seed % MIXED_EVERY === 0;
  scheduler.onTurn = ({ number }) => writeGeneration(isMixed && number % 2 === 1 ? NEXT_GENERATION : GENERATION);
  const engine = hasEngine ? await engineRowFiles((work) => scheduler.outside(work), SIZES) : null;
  const namesProperties = scenario.hasPersons && seed % NAMES_EVERY === 0;
  const simulation = begin({
    namesProperties,
    random,
    scenario,
    removals,
    scheduler,
    engine,
    missing: options.missing ?? null,
    publishing: publishingOf(seed),
  });
  let failure: Error | null = null;
  try {
    await simulation.run();
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
  } finally {
    writeGeneration(GENERATION);
    await engine?.close();
  }
  return { seed, steps: scheduler.steps, failure, trace: scheduler.trace };
};

/** One seed of so many publishes tables: in short slots or in real ones, with snapshots that stay for a while or for as long as real ones. */
const PUBLISHES_EVERY = 5;

const publishingOf = (seed: number): Pick<Policy, "publishEveryMs" | "snapshotStayMs"> => {
  if (seed % PUBLISHES_EVERY !== 0) return POLICY;
  const isShort = seed % (2 * PUBLISHES_EVERY) === 0;
  return {
    publishEveryMs: isShort ? 30 * SECOND_MS : 45 * MINUTE_MS,
    snapshotStayMs: seed % 3 === 0 ? 2 * HOUR_MS : POLICY.snapshotStayMs,
  };
};

/** In one seed of so many every other process writes the formats of the next release, as while one is deployed or rolled back. */
const MIXED_EVERY = 3;

/** In one seed of so many persons are erased and imports undone, and in each other one whose rows are in real files. */
const REMOVES_EVERY = 4;

/** In one seed of so many with persons queries have named properties of theirs. */
const NAMES_EVERY = 2;

/** The rows of one seed of so many are in files of the real engine, which takes ten times as long. */
const ENGINE_EVERY = 50;

/** A file's facts have about 400 bytes. */
const MANY_LEAVES = { factsInside: 400, leafBytes: 300 };
const SOME_LEAVES = { factsInside: 2_000, leafBytes: 700 };

const SIZES: MergeSizes = { fileRows: POLICY.fileRows, mostRows: 4, fileBytes: POLICY.fileBytes };

interface Beginning {
  readonly random: Random;
  readonly scenario: Scenario;
  readonly removals: readonly PlannedRemoval[];
  readonly scheduler: Scheduler;
  readonly engine: EngineRowFiles | null;
  readonly missing: Safeguard | null;
  readonly publishing: Pick<Policy, "publishEveryMs" | "snapshotStayMs">;
  /** Whether queries named properties of persons and groups. */
  readonly namesProperties: boolean;
}

const begin = ({ random, scenario, removals, scheduler, engine, missing, publishing, namesProperties }: Beginning) => {
  const thresholds = {
    gatherCommits: random.pick([1, 3]),
    tierFiles: random.pick([2, 3]),
    rewriteMinRows: random.pick([1, 6]),
    fold: random.pick([POLICY.fold, { entries: 3, bytes: 1_000, layers: 1, fileRows: 2 }]),
    // No drain takes so long, whatever stands still in it.
    orphanAgeMs: random.pick([8 * HOUR_MS, POLICY.orphanAgeMs]),
    stepBytes: random.pick([9_000, 30_000]),
    footersInside: random.pick([60, 100, 1_000]),
    ...random.pick([MANY_LEAVES, SOME_LEAVES, {}]),
    stepsWithinMs: random.pick([0, MINUTE_MS]),
  };
  const policy = policyWithout({ ...POLICY, ...thresholds, ...publishing }, missing);
  /** Of a drain: all in one item, or every partition in its own; deltas in items, or all in objects. */
  const sizes = { itemBytes: random.pick([COMMIT_SIZES.itemBytes, 400]), inlineBytes: random.pick([COMMIT_SIZES.inlineBytes, 0]) };
  const ledger = new Ledger();
  const numbered = rowLists();
  const lists = engine?.lists ?? numbered;
  const memorySizes = { countUsage, fileRows: SIZES.fileRows, dayRows: SIZES.mostRows, fileBytes: SIZES.fileBytes };
  const rowFiles = (own: Objects): RowFiles => engine?.over(own) ?? memoryRowFiles(own, numbered, memorySizes);
  const heads: HeadHistory = new Map();
  let stormy = true;
  const faultRate = random.pick([0, 0.01, 0.04]);
  const table = memoryTable({
    step: scheduler.step,
    random: random.next,
    faults: {
      throttled: faultRate / 2,
      lostAnswer: faultRate,
      repeated: faultRate,
      stale: 0.2,
      shortPage: random.pick([0, 0.3]),
      interleaved: random.pick([0, 0.3]),
      indexLagCalls: random.pick([0, 10, 60]),
    },
    transacted(writes) {
      tellAbsorbed(writes, { ledger, objects, lists }, { at: scheduler.now(), actor: scheduler.actor });
      if (policy.publishEveryMs !== null) tellPublished(writes, heads, { table, objects });
    },
  });
  const objects = memoryObjects({
    step: scheduler.step,
    random: random.next,
    now: scheduler.now,
    unavailable: () => (stormy ? faultRate / 2 : 0),
    pageSize: random.pick([2, 1_000]),
  });
  const queues = memoryQueues(scheduler, random, { again: 0.25, shared: random.pick([0.05, 0.5]), refused: faultRate });
  const removed = new Set<number>();
  /** What the heads of removed projects named when they were removed: no swap succeeds from then on. */
  const tombstones = new Map<number, string>();
  const freeze = random.pick([0, 0.004, 0.03]);
  const mergeFailures = random.pick([0, 0, 0, 0, 0, 0, 0.05, 0.05, 0.5, 0.97]);

  const shared: Shared = {
    scheduler,
    random,
    ledger,
    table,
    objects,
    queues,
    lists,
    rowFiles,
    policy,
    projects: scenario.projects,
    missing,
  };

  const spawnMortal = (name: string, life: (process: World) => Promise<void>): void => {
    scheduler.spawn(name, () => life(newProcess(shared)), {
      died() {
        scheduler.note("another one takes its place");
        if (name === SWEEP) ledger.forgotten += 1;
        spawnMortal(name, life);
      },
      freeze,
    });
  };

  /** Polls a queue for ever and works through what comes; what fails comes again when its visibility ends. */
  const poller = (
    queue: QueueName,
    name: string,
    handle: (process: World, deliveries: readonly Delivery[]) => Promise<readonly string[]>,
  ): void =>
    spawnMortal(name, async (process) => {
      for (;;) {
        const deliveries = await queues.receive(queue, queue === "jobs" ? 1 : 3, queue === "jobs" ? 5 * MINUTE_MS : 3 * MINUTE_MS);
        const ids = deliveries.map(({ id }) => id);
        try {
          if (missing === "acknowledge after commit") await queues.acknowledge(queue, ids);
          const failed = await handle(process, deliveries);
          if (missing !== "acknowledge after commit")
            await queues.acknowledge(
              queue,
              ids.filter((id) => !failed.includes(id)),
            );
        } catch (error) {
          scheduler.note(`fails: ${error instanceof Error ? `${error.name} ${error.message}` : error}`);
        }
      }
    });

  const drain =
    (queue: "live" | "historical") =>
    async (process: World, deliveries: readonly Delivery[]): Promise<readonly string[]> => {
      const seen =
        missing === "receive time in the message"
          ? deliveries.map((each) => ({ ...each, body: receivedAt(each.body, process.clock.now()) }))
          : deliveries;
      // Now and then there is no time for what was received: it goes back to its queue as a new message.
      const until = process.clock.now() + (stormy ? random.pick(INGEST_BUDGETS_MS) : MINUTE_MS);
      const { failed } = await ingest(seen, process, { remainingMs: () => until - process.clock.now() }, queue, { sizes });
      return failed;
    };

  /** How many workers each compaction is shared among, as if much were to be merged. */
  const of = random.pick([1, 2, 3]);
  ledger.workers = of;
  const spread = async (delivery: Delivery): Promise<Delivery> => {
    const job = readJob(delivery.body);
    if (of === 1 || job.kind !== "compact" || job.seal || job.share !== undefined) return delivery;
    const others = Array.from({ length: of - 1 }, (_, before): Job<"compact"> => ({ ...job, upTo: "", share: { at: before + 1, of } }));
    await sendJobs(queues, others);
    return { ...delivery, body: jobText({ ...job, share: { at: 0, of } }) };
  };

  const doJobs = async (process: World, deliveries: readonly Delivery[]): Promise<readonly string[]> => {
    const failed: string[] = [];
    for (const received of deliveries) {
      const delivery = await spread(received);
      scheduler.note(`job ${delivery.body}`);
      ledger.jobBegins(scheduler.actor);
      const { rowFiles } = process.engine;
      let written = 0;
      const merge: typeof rowFiles.merge = async (...given) => {
        if (stormy && random.chance(mergeFailures)) throw new Error("out of memory");
        const files = await rowFiles.merge(...given);
        for (const { rows } of files) written += rows;
        return files;
      };
      const counting: World = { ...process, engine: { ...process.engine, rowFiles: { ...rowFiles, merge } } };
      if (await dispatch(counting, policy, delivery, { remainingMs: () => 10 * MINUTE_MS })) {
        ledger.jobs += 1;
        ledger.compactedRows += written;
        if (soonSwept && delivery.body.includes(USAGE_JOB)) wakeSweep();
      } else failed.push(delivery.id);
      for (const project of scenario.projects) if (!removed.has(project)) checkNamed(table, objects, project);
      for (const project of scenario.projects) if (!removed.has(project)) checkPublished({ table, objects }, project);
    }
    return failed;
  };

  /** A client that sends until it has an answer; what it has composed stays the same. */
  const send = async (sent: SentRequest): Promise<void> => {
    const text = composed(sent, scheduler.now());
    for (let attempt = 1; attempt <= sent.times; attempt += 1) {
      await post(sent.historical ? "historical" : "live", [taken(sent, text, scheduler.now(), attempt)]);
      if (attempt < sent.times) await scheduler.sleep(random.next() * random.pick([SECOND_MS, 5 * MINUTE_MS]));
    }
  };

  /** Puts requests into a queue, all together. */
  const post = async (queue: "live" | "historical", requests: readonly Taken[]): Promise<void> => {
    const copies = requests.flatMap(({ request }) => ledger.sending(request));
    for (const { key, bytes } of requests.flatMap(({ objects }) => objects)) await untilDone(() => objects.put(key, bytes));
    let left = requests.flatMap(({ messages }) => messages).map((body, at) => ({ id: String(at), body }));
    while (left.length > 0) {
      const failed = await queues.send(queue, left);
      left = left.filter(({ id }) => failed.includes(id));
    }
    ledger.accepted(copies);
  };

  const copiesOf = (rows: readonly EventRow[]): readonly Copy[] => rows.map((row) => ledger.copyOf(row));

  const readRange = async (process: World, pinned: PinnedState, range: EventRange, pauseMs: number): Promise<readonly Shown[]> => {
    const plan = planEvents(pinned, range);
    const sources = await seenSources(process.engine.rowFiles, pinned.project, plan, pinned.removals);
    if (pauseMs > 0) await scheduler.sleep(pauseMs);
    const shown: Shown[] = [];
    const gathered = new Set<FileFacts>(plan.files);
    for (const { file, skip } of sources) {
      const hidden = new Set(skip);
      const own = (await readRows(process.objects, lists, file)).filter((_, at) => !hidden.has(at));
      const isWaiting = !gathered.has(file);
      if (!isWaiting) checkUsageOfFiles([file], copiesOf(own));
      for (const row of own) shown.push({ row, isWaiting });
    }
    return shown.filter(({ row }) => asksFor(range)(ledger.copyOf(row)));
  };

  /**
   * One reading with its checks. A fault of a port ends it without a verdict; a file that is gone is a violation, unless reading took longer
   * than files are promised to stay.
   */
  const read = async (process: World, project: number, pauseMs: number): Promise<void> => {
    const [mark, began] = [ledger.mark(), scheduler.now()];
    const wasRemoved = removed.has(project);
    try {
      const pinned = await pin(process, project, null, { events: true, state: scenario.hasPersons });
      const contained = ledger.contained(project, [...pinned.waitingDeltas.map(({ id }) => id), ...(pinned.state?.absorbed ?? [])]);
      scheduler.note(`reads project ${project}: ${pinned.manifests.size} manifests, ${pinned.waiting.length} waiting commits`);
      const known = await typesKnown(process.table, project);
      const slots = await readGroupTypes(process.table, project);
      const range = rangeOf(random, scenario.start);
      const shown = await readRange(process, pinned, range, pauseMs);
      const people = scenario.hasPersons ? await peopleSeen(process.objects, pinned, slots) : null;
      if (namesProperties) await checkColumns(process.objects, pinned);
      if (removed.has(project) || wasRemoved) return;
      const seen = ledger.checkReading(project, shown, mark, slots, asksFor(range));
      checkTypesOfRows(project, known, seen, slots);
      if (people && !ledger.hasRemovals(project)) checkPeopleBetween(project, people, contained, ledger);
    } catch (error) {
      if (error instanceof Error && (error.name === "TableFault" || error.name === "ObjectsFault")) return;
      if (error instanceof Defect && error.message.includes("could not be read within")) return;
      const isGone = error instanceof FileMissing || (error instanceof Defect && / (is|are) (missing|gone from)/.test(error.message));
      if (isGone && (removed.has(project) || scheduler.now() - began >= POLICY.removedStayMs)) return;
      throw error;
    }
  };

  /** In some runs a sweep comes as soon as rows are counted: from then on it is only the stay that keeps their commits. */
  const soonSwept = scheduler.weather.betweenSwaps > 0;
  let wakeSweep = (): void => undefined;

  const sweepForEver = (): void => {
    // A process that takes another's place keeps its pace: a storm of days would be all sweeps.
    let pause = random.int(2, 60) * SECOND_MS;
    spawnMortal(SWEEP, async (process) => {
      const memory = sweepMemory();
      for (; ; pause *= 1.5) {
        await scheduler.sleep(pause, (wake) => {
          wakeSweep = wake;
        });
        if (!stormy) return;
        await sweep({ ...process, organizationOf: organizationOfProject(process.table) }, policy, memory).catch((error: Error) =>
          scheduler.note(`sweep fails: ${error.message}`),
        );
        if (pause > 6 * HOUR_MS || random.chance(0.15)) pause = random.int(2, 60) * SECOND_MS;
      }
    });
  };

  const readForEver = (at: number): void => {
    const slow = random.pick([0, 0.2]);
    const life = async (): Promise<void> => {
      const process = newProcess(shared);
      for (let readings = random.int(2, 8); stormy && readings > 0; readings -= 1) {
        await scheduler.sleep(random.next() * random.pick([SECOND_MS, 10 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS]));
        const project = random.pick([scenario.projects[0] ?? 16, ...scenario.projects]);
        // Several questions at once, as a dashboard has them.
        for (let more = random.pick([0, 0, 3]); more > 0; more -= 1) await read(process, project, 0);
        await read(process, project, random.chance(0.3) ? random.next() * 12 * HOUR_MS : 0);
      }
    };
    scheduler.spawn(`reader ${at}`, life, { slow, freeze });
  };

  /** Events among the dead letters wait for the operator; a job that was given up is asked for again by whoever wants it done. */
  const redrive = (): number => queues.redrive("live") + queues.redrive("historical");

  /** Audits whenever they come, and an operator who puts dead letters back now and then. */
  const operateForEver = (): void => {
    const audits = random.chance(0.3);
    scheduler.spawn("operator", async () => {
      for (;;) {
        await scheduler.sleep(random.next() * random.pick([MINUTE_MS, 20 * MINUTE_MS, 10 * HOUR_MS]));
        if (!stormy) return;
        redrive();
        const project = random.pick([scenario.projects[0] ?? 16, ...scenario.projects]);
        if (audits) await sendJobs(queues, [{ kind: "audit", project }]);
      }
    });
  };

  /** Somebody who asks to publish without waiting for the sweep, so that publishers meet one another and swaps. */
  const publishForEver = (): void => {
    scheduler.spawn("publisher", async () => {
      for (let left = random.int(2, 12); stormy && left > 0; left -= 1) {
        await scheduler.sleep(random.next() * random.pick([SECOND_MS, 20 * SECOND_MS, 10 * MINUTE_MS]));
        const project = random.pick([scenario.projects[0] ?? 16, ...scenario.projects]);
        await sendJobs(queues, [
          { kind: "publish", project },
          { kind: "publish", project },
        ]);
      }
    });
  };

  /** A request of an import that comes late, alone or in company of the same one as part of the import that was meant. */
  const bringAgain = async ({ project, ...what }: Removed, names: readonly string[] = []): Promise<void> => {
    const request = scenario.requests.find((each) => what.kind === "import" && each.project === project && each.importName === what.name);
    if (request === undefined) return;
    const now = scheduler.now();
    // The one that is undone is the least.
    const again = names.map((importName, at) => {
      const each: SentRequest = { ...request, name: `${request.name}-late-${importName}`, importName };
      return taken(each, composed(each, now), now + at, 1);
    });
    await post("historical", again);
  };

  /** Operators who remove something, each again and again until it is done: their commands are killed and fail, too. */
  let removalsLeft = removals.length;
  const removeAll = (): void => {
    for (const [at, { afterMs, what }] of removals.entries()) {
      let wait = afterMs;
      // Once each, however often the command is killed.
      const late = what.kind === "import" ? [[what.name], [what.name, "right file"]] : [];
      spawnMortal(`eraser ${at}`, async (process) => {
        await scheduler.sleep(wait);
        wait = SECOND_MS;
        if (late.length === 2) await bringAgain(what, late.shift());
        ledger.removing(what);
        for (;;) {
          ledger.jobBegins(scheduler.actor);
          const outcome = await removeRows({ ...process, rowFiles: process.engine.rowFiles }, policy, what.project, removalOf(what)).then(
            (result) => result.outcome,
            (error: Error) => scheduler.note(`removal fails: ${error.name} ${error.message}`),
          );
          scheduler.note(`removal of ${JSON.stringify(what)}: ${outcome ?? "failed"}`);
          if (outcome === "done") ledger.removed(what);
          if (outcome === "done") await bringAgain(what, late.shift());
          if (outcome === "done" || outcome === "removed") break;
          await scheduler.sleep(10 * SECOND_MS);
        }
        removalsLeft -= 1;
      });
    }
  };

  const storm = async (): Promise<void> => {
    for (const project of scenario.projects) await seedHead(project);
    let sending = true;
    scheduler.spawn("client", async () => {
      for (const request of scenario.requests) {
        await scheduler.sleep(request.gapMs * random.next());
        await send(request);
      }
      sending = false;
    });
    if (scenario.removal) {
      const { project, afterMs } = scenario.removal;
      scheduler.spawn("removal", async () => {
        await scheduler.sleep(afterMs);
        removed.add(project);
        for (;;) {
          const done = await table.transact([tombstone(project, scheduler.now(), scheduler.now() + policy.removalDelayMs)]).then(
            () => true,
            () => false,
          );
          if (done) tombstones.set(project, namedBy(table, project));
          if (done) return;
        }
      });
    }
    for (let at = 0; at < scenario.ingesters; at += 1) {
      poller("live", `ingest live ${at}`, drain("live"));
      poller("historical", `ingest history ${at}`, drain("historical"));
    }
    for (let at = 0; at < scenario.compactors; at += 1) poller("jobs", `jobs ${at}`, doJobs);
    for (let at = 0; at < random.int(1, 2); at += 1) sweepForEver();
    for (let at = 0; at < scenario.readers; at += 1) readForEver(at);
    operateForEver();
    removeAll();
    if (policy.publishEveryMs !== null) publishForEver();
    let tail = random.int(50, 600);
    await scheduler.run(() => !sending && queues.left("live") + queues.left("historical") === 0 && tail-- < 0, MAX_STEPS);
  };

  /** The head as the project's creation puts it, without weather. */
  const seedHead = async (project: number): Promise<void> => {
    scheduler.spawn("creation", async () => {
      for (;;) {
        const writes: readonly Write[] = [
          { kind: "put", item: initialHead(project, scenario.start), when: { kind: "absent" } },
          projectWrite(project),
          ...(namesProperties ? [{ kind: "put", item: namedProperties(project, scenario.start) } as const] : []),
        ];
        const done = await table.transact(writes).then(
          () => true,
          // Whoever lost the answer finds the head there, and must not put it a second time: it may be a tombstone by then.
          (error: unknown) => error instanceof ConditionFailed,
        );
        if (done) return;
      }
    });
    await scheduler.run(() => table.everything().some(({ pk }) => pk === `lake#${project}`), MAX_STEPS);
  };

  /** What is gathered counts, whatever became of the rest of the work. */
  const checkGathered = async (process: World): Promise<void> => {
    for (const project of scenario.projects) {
      if (removed.has(project)) continue;
      const pinned = await pin(process, project, null, { events: true, state: false });
      const shown = await readRange(process, { ...pinned, waiting: [] }, EVERYTHING, 0);
      const gathered = copiesOf(shown.map(({ row }) => row));
      await checkUsage(process, project, gathered);
    }
  };

  const calm = async (): Promise<void> => {
    stormy = false;
    ledger.hours = Math.floor((scheduler.now() - scenario.start) / HOUR_MS);
    table.settle();
    queues.calm();
    scheduler.weather = { latencyMs: 20, slow: 0, slowMs: 0, death: 0, freezeMs: 0, betweenSwaps: 0 };
    let done = false;
    scheduler.spawn("calm", async () => {
      const process = newProcess(shared);
      while (redrive() + queues.left("live") + queues.left("historical") + removalsLeft > 0) await scheduler.sleep(MINUTE_MS);
      const aDay = removals.length === 0 ? [25 * HOUR_MS] : Array.from({ length: 25 }, () => HOUR_MS);
      const pauses = [...CALM, ...aDay, ...LONG_CALM, ...(policy.publishEveryMs === null ? [] : PUBLISHED_CALM)];
      for (const [at, pause] of pauses.entries()) {
        await scheduler.sleep(pause);
        await sweep({ ...process, organizationOf: organizationOfProject(process.table) }, policy, sweepMemory());
        for (const project of scenario.projects) if (!removed.has(project)) checkPublished({ table, objects }, project);
        for (let tries = 0; redrive() + queues.left("jobs") > 0 && tries < 200; tries += 1) await scheduler.sleep(MINUTE_MS);
        if (at === ALL_GATHERED) await checkGathered(process);
        if (at === ALL_GATHERED + aDay.length)
          for (const project of scenario.projects) if (!removed.has(project)) checkBytes(objects, lists, project, ledger);
      }
      for (const project of scenario.projects) {
        if (removed.has(project)) continue;
        const pinned = await pin(process, project, null, { events: true, state: true });
        const slots = await readGroupTypes(process.table, project);
        const stayed = ledger.checkFinal(project, await readRange(process, pinned, EVERYTHING, 0), slots);
        checkPeople(project, await peopleSeen(process.objects, pinned, slots), stayed, ledger.uuidOf);
        if (namesProperties) await checkColumns(process.objects, pinned);
        checkTypes(project, await typesKnown(process.table, project), ledger.sentTo(project), stayed, slots);
        await checkUsage(process, project, stayed);
      }
      for (const [project, named] of tombstones)
        if (namedBy(table, project) !== named) throw new Violation(`a swap changed the head of project ${project}, which is removed`);
      const kept = scenario.projects.filter((project) => !removed.has(project));
      const published = kept.flatMap((project) => checkPublishedIsLast({ table, objects }, project));
      checkStore(table, objects, scenario.projects, removed, scheduler.now(), policy, published);
      ledger.checkWork();
      done = true;
    });
    await scheduler.run(() => done, MAX_STEPS);
  };

  const run = async (): Promise<void> => {
    await storm();
    await calm();
  };
  return { run };
};

/** Does something until it is answered. */
const untilDone = async (act: () => Promise<void>): Promise<void> => {
  for (;;) {
    const done = await act().then(
      () => true,
      () => false,
    );
    if (done) return;
  }
};

/** Pauses between the sweeps of the calm: gather, delete commits; then, after somewhat more than a day, */
const CALM = [3 * MINUTE_MS, 3 * MINUTE_MS, 20 * MINUTE_MS, 20 * MINUTE_MS] as const;

/** seal and audit, delete what was retired meanwhile. */
const LONG_CALM = [3 * DAY_MS, 45 * DAY_MS, 25 * HOUR_MS, 8 * DAY_MS, 25 * HOUR_MS] as const;

/** Place of the pause after which nothing waits. */
const ALL_GATHERED = 3;

/** Snapshots go a week after they were replaced, and what they named once that is seen. */
const PUBLISHED_CALM = [8 * DAY_MS, 25 * HOUR_MS, 8 * DAY_MS, 25 * HOUR_MS, 8 * DAY_MS] as const;

const weatherOf = (random: Random): Weather => ({
  latencyMs: random.pick([5, 40, 400]),
  slow: random.pick([0, 0.02, 0.1]),
  slowMs: 50 * SECOND_MS,
  death: random.pick([0, 0.003, 0.02]),
  freezeMs: random.pick([40 * MINUTE_MS, 40 * MINUTE_MS, 3 * HOUR_MS]),
  betweenSwaps: random.pick([0, 0, 0.3]),
});
