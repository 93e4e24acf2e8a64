import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { canary } from "../../../functions/canary/schedule.ts";
import { consumers, groups, invocables, schedules } from "../../../functions/index.ts";
import { notices } from "../../../functions/notices/schedule.ts";
import { asFunction, withinRights } from "../../../infra/local/function-rights.ts";
import { functionSizing } from "../../../infra/sizing.ts";
import { systemIds } from "../../../lib/app/system.ts";
import type { FunctionNeeds, Uses } from "../../../lib/app/uses.ts";
import type { World } from "../../../lib/app/world.ts";
import { type Environment, settings } from "../../../lib/aws/environment.ts";
import { openSegments } from "../../../lib/aws/parts/segments.ts";
import { Defect } from "../../../lib/core/unreachable.ts";
import { openEngine } from "../../../lib/engine/open.ts";
import { keyHash } from "../../../lib/keys/credential.ts";
import { PersonalApiKeys } from "../../../lib/keys/personal-api-keys.ts";
import { puttingToken } from "../../../lib/keys/project-tokens.ts";
import { initialHead } from "../../../lib/lake/head.ts";
import { consume } from "../../../lib/lambda/consumer.ts";
import { runInvocable } from "../../../lib/lambda/invocable.ts";
import { runSchedule } from "../../../lib/lambda/schedule.ts";
import { Memberships } from "../../../lib/organizations/memberships.ts";
import { LEVELS, Organizations } from "../../../lib/organizations/organizations.ts";
import { Users } from "../../../lib/organizations/users.ts";
import type { InvocableName } from "../../../lib/ports/invocations.ts";
import type { QueueName } from "../../../lib/ports/queues.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { Projects } from "../../../lib/projects/projects.ts";
import { put } from "../../../lib/table/store.ts";
import { countUsage } from "../../../lib/usage/day-counts.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { memoryTokenKeys } from "../../support/memory-token-keys.ts";
import { withoutDownloads } from "../../support/no-downloads.ts";
import { noModel } from "../../support/no-model.ts";
import { noReaders } from "../../support/no-readers.ts";
import { aRequest } from "../../support/samples/capture-requests.ts";
import { unwatchedQueues } from "../../support/unwatched-queues.ts";
import { aRequest as anApiRequest } from "../../support/worlds/api-world.ts";
import { type Amounts, newBill } from "./bill.ts";
import { type Caller, chunks, meteredLog, meteredObjects, meteredQueues, tableMeter, waitedTable } from "./metered-parts.ts";
import { waitingTime } from "./waiting-time.ts";

/** A whole core comes with this much memory; less memory is as much less of a core. */
const CORE_MB = 1_769;
/** What the runtime itself takes of each invocation. */
const RUNTIME_MS = 2;
const FREE_DISK_MB = 512;
/** Two schedules run only where a stage's settings say whom to tell, and where to send an event of the platform's own. Here nothing is set. */
const SCHEDULES = schedules.filter((each) => each !== notices && each !== canary);
/** A queue is asked by five pollers, each of which makes batches of its own: so many of a window find messages. */
export const BATCHES_PER_WINDOW = 3;
/** A function that nobody called for so long starts anew, which is billed: the runtime and our modules, and the engine where there is one. */
const KEPT_WARM_MS = 600_000;
const START_SECONDS = 0.4;
const ENGINE_START_SECONDS = 0.9;
/** The service's own two lines for each call: that it began, and what it took. */
const REPORT_BYTES = 500;
/** What goes back to an SDK over the internet for each request: the reply with its headers, and those of TLS. */
const REPLY_BYTES = 500;
const GB = 1e9;
const MESSAGES_PER_DELETION = 10;
const SECOND_MS = 1_000;

/** The platform's own functions, one after the other in a time of their own, each call of theirs counted. */
export interface MeteredPlatform {
  now(): number;
  /** A request of an SDK, from the gateway on. */
  capture(project: number, body: Uint8Array): Promise<void>;
  /** Lets time pass: queues are drained when their windows close, schedules run when it is their time. */
  pass(ms: number): Promise<void>;
  /** A request to one of the groups, by a key of the organization's owner. */
  ask(group: string, method: string, path: string, body?: unknown): Promise<number>;
  /** Puts a message into a queue, as whoever may send there would. */
  deliver(queue: QueueName, body: object): Promise<void>;
  /** Everything counted so far; what is stored is not in it. */
  amounts(): Amounts;
  /** Milliseconds of the processor by function, as measured on this machine. */
  processorMs(): Readonly<Record<string, number>>;
  storedBytes(): number;
  /** The objects below a prefix. */
  keys(prefix: string): readonly string[];
  /** Throws where a function wrote an error: what was measured then is not worth its price. */
  close(): Promise<void>;
}

/** The organization that all projects belong to. */
export const ORGANIZATION = "0190c1f2-8b7e-7000-8f3b-9c1d2e3f4a5b";

export const tokenOf = (project: number): string => `phc_project_${project}`;

export const meteredPlatform = async (start: number, projects: number, environment: Environment = {}): Promise<MeteredPlatform> => {
  let now = start;
  const waiting = waitingTime();
  const clock = { now: () => now };
  const bill = newBill();
  let running: FunctionNeeds | undefined;
  const started = new Set<InvocableName>();
  const caller = callerFor(() => running, waiting.wait);
  const contents = memoryObjects();
  const objects = meteredObjects(contents, bill, caller);
  const queues = meteredQueues(bill, caller);
  const table = withinRights(waitedTable(memoryTable({ meter: tableMeter(bill, caller) }), caller));
  const { log, errors } = meteredLog(bill, clock);
  const directory = await mkdtemp(join(tmpdir(), "cost-"));
  const config = settings(environment);
  const engine = await openEngine({ objects, directory, config, countUsage });
  const processor: Record<string, number> = {};

  /** A world for each function: what one remembers, another does not. */
  const worldOf = (): World => ({
    table,
    objects: withoutDownloads(objects),
    queues,
    engine,
    // Counted is only what is refused, and no load here is.
    counts: { add: () => Promise.reject(new Defect("a request was refused")) },
    mail: { send: () => Promise.reject(new Error("nobody is written to here")) },
    dns: { texts: () => Promise.reject(new Error("no name is asked for here")) },
    ...noReaders,
    model: noModel,
    tokenKeys: memoryTokenKeys(),
    ...unwatchedQueues,
    invocations: { start: async (name) => started.add(name).has(name) },
    segments: openSegments,
    clock,
    ids: systemIds(clock),
    log,
    config,
  });
  const worlds = new Map<string, World>();

  const calledAt = new Map<string, number>();
  /** Seconds that starting costs; each of the batches that come at once has an instance of its own. */
  const startSeconds = ({ name, uses }: FunctionNeeds): number => {
    const before = calledAt.get(name);
    calledAt.set(name, now);
    if (before !== undefined && now - before < KEPT_WARM_MS) return 0;
    const instances = consumers.some((each) => each.name === name) ? BATCHES_PER_WINDOW : 1;
    return instances * (uses.engine ? ENGINE_START_SECONDS : START_SECONDS);
  };

  const invoke = async <T>(name: string, work: (world: World) => Promise<T>): Promise<T> => {
    const needs = [...groups, ...consumers, ...schedules, ...invocables].find((each) => each.name === name);
    if (needs === undefined) throw new Defect(`no function is called ${name}`);
    const world = worlds.get(name) ?? worldOf();
    worlds.set(name, world);
    const { memoryMb, diskMb = FREE_DISK_MB } = functionSizing(needs);
    running = needs;
    const [before, began, waited] = [process.cpuUsage(), performance.now(), waiting.now()];
    const result = await asFunction(needs, () => work(world));
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1_000;
    const cores = memoryMb / CORE_MB;
    // What has more than a core works in several threads; no sooner than they did here.
    const workedMs = cores > 1 ? Math.max(cpuMs / cores, performance.now() - began) : cpuMs / cores;
    const worked = (workedMs + waiting.now() - waited + RUNTIME_MS) / SECOND_MS;
    const seconds = worked + startSeconds(needs);
    bill.add("functionLogGb", REPORT_BYTES / GB);
    processor[name] = (processor[name] ?? 0) + cpuMs;
    bill.add("functionRequests", 1);
    bill.add("functionGbSeconds", (seconds * memoryMb) / 1_024);
    bill.add("functionDiskGbSeconds", (seconds * (diskMb - FREE_DISK_MB)) / 1_024);
    return result;
  };

  /** Several batches at a time until the queue is empty. Each message is counted as received by itself, which is the dearest case. */
  const drain = async (of: (typeof consumers)[number]): Promise<void> => {
    const { name, queue, batch } = of;
    const share = Math.max(1, Math.ceil(queues.left(queue) / BATCHES_PER_WINDOW));
    for (;;) {
      const deliveries = queues.take(queue, Math.min(share, batch.messages));
      if (deliveries.length === 0) return;
      for (const { body } of deliveries) bill.add("queueRequests", chunks(body.length));
      bill.add("queueRequests", Math.ceil(deliveries.length / MESSAGES_PER_DELETION));
      const budget = { remainingMs: () => functionSizing(of).timeoutSeconds * SECOND_MS };
      const { failed } = await invoke(name, (world) => consume(of, deliveries, world, budget));
      if (failed.length > 0) throw new Defect(`${name} failed ${failed.length} messages`);
    }
  };

  const tick = async (): Promise<void> => {
    now += SECOND_MS;
    for (const of of SCHEDULES)
      if (now % everyMs(of.every) === 0) await invoke(of.name, (world) => runSchedule(of, world, { remainingMs: () => 60 * SECOND_MS }));
    for (const of of consumers) {
      const windowMs = Math.max(1, of.batch.windowSeconds) * SECOND_MS;
      if (now % windowMs === 0) await drain(of);
    }
    for (const of of invocables) {
      const budget = { remainingMs: () => of.timeoutSeconds * SECOND_MS };
      if (started.delete(of.name)) await invoke(of.name, (world) => runInvocable(of, world, budget));
    }
  };

  const captureGroup = groups.find(({ name }) => name === "capture");
  if (captureGroup === undefined) throw new Defect("there is no capture");
  const key = await settled(table, now, projects);
  const setUp = bill.amounts();

  return {
    now: () => now,
    async capture(_project, body) {
      bill.add("gatewayRequests", 1);
      bill.add("transferGb", REPLY_BYTES / GB);
      const request = aRequest(body, { headers: { "content-encoding": "gzip" } });
      const reply = await invoke("capture", (world) => captureGroup.serve(request, world));
      if (reply.status !== 200) throw new Defect(`capture answered ${reply.status}: ${String(reply.body)}`);
    },
    async ask(name, method, path, body) {
      const group = groups.find((each) => each.name === name);
      if (group === undefined) throw new Defect(`there is no group ${name}`);
      const request = anApiRequest(method, path, { key, ...(body !== undefined && { body }) });
      return (await invoke(name, (world) => group.serve(request, world))).status;
    },
    async deliver(queue, body) {
      running = undefined;
      await queues.send(queue, [{ id: "0", body: JSON.stringify(body) }]);
    },
    async pass(ms) {
      for (const end = now + ms; now < end; ) await tick();
    },
    amounts: () =>
      Object.fromEntries(Object.entries(bill.amounts()).map(([what, amount]) => [what, amount - (setUp[what as keyof Amounts] ?? 0)])),
    processorMs: () => processor,
    storedBytes: () => [...contents.contents.values()].reduce((sum, bytes) => sum + bytes.byteLength, 0),
    keys: (prefix) => [...contents.contents.keys()].filter((key) => key.startsWith(prefix)),
    async close() {
      await engine.close();
      await rm(directory, { recursive: true, force: true });
      if (errors.length > 0) throw new Defect(`the functions wrote ${errors.length} errors, the first of them: ${errors[0]}`);
    },
  };
};

/** An organization with its owner and described projects. Gives the owner's key. */
const settled = async (table: Table, now: number, projects: number): Promise<string> => {
  const at = new Date(now).toISOString();
  const key = "phx_owner";
  const user = { id: 1, uuid: ORGANIZATION, distinct_id: "owner", email: "owner@cost.test", created_at: at };
  const stamps = { created_at: at, updated_at: at };
  await put(table, Users, Users.schema.parse(user));
  await put(table, Organizations, Organizations.schema.parse({ id: ORGANIZATION, name: "Cost", slug: "cost", ...stamps }));
  await put(table, Memberships, { organization_id: ORGANIZATION, user_id: 1, level: LEVELS.owner, joined_at: at });
  const restrictions = { scopes: ["*"], scoped_teams: [], scoped_organizations: [] };
  const marks = { hash: keyHash(key), mask_value: "phx_", label: "owner", created_at: at };
  await put(table, PersonalApiKeys, PersonalApiKeys.schema.parse({ id: ORGANIZATION, user_id: 1, ...marks, ...restrictions }));
  for (let project = 1; project <= projects; project += 1) {
    const token = tokenOf(project);
    const described = { id: project, uuid: ORGANIZATION, organization_id: ORGANIZATION, name: `Project ${project}`, ...stamps };
    await put(table, Projects, Projects.schema.parse({ ...described, api_token: token, secret_token_mask: "phs_" }));
    await table.transact([puttingToken(token, { project_id: project, organization_id: ORGANIZATION, state: "active" })]);
    await table.put(initialHead(project, now));
  }
  return key;
};

/** Holds whichever function runs to what its declaration says, as its role would; what runs outside of one may do everything. */
const callerFor = (running: () => FunctionNeeds | undefined, wait: Caller["wait"]): Caller => {
  const demand = (allowed: (uses: Uses) => boolean, what: string): void => {
    const needs = running();
    if (needs && !allowed(needs.uses)) throw new Defect(`${needs.name} may not ${what}: its declaration says what it may`);
  };
  return {
    wait,
    touches: (verb, key) =>
      demand(({ objects }) => (objects?.[verb] ?? []).some((prefix) => key.startsWith(`${prefix}/`)), `${verb} ${key}`),
    lists: (prefix) => demand(({ objects }) => objects?.read !== undefined, `list ${prefix}`),
    sends: (queue) => demand(({ queues = [] }) => queues.includes(queue), `send to ${queue}`),
    writesTable: () => demand(({ table }) => table?.write !== undefined, "write the table"),
  };
};

const UNITS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

const everyMs = (every: string): number => {
  const [count, unit = ""] = every.split(" ");
  return Number(count) * (UNITS[unit.replace(/s$/, "")] ?? Number.NaN);
};
