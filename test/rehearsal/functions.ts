import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { codeFolder, layOut } from "./code.ts";
import { ACCOUNT, type Made, type Output, REGION } from "./template.ts";

/** How a call of a function ended. */
export type Outcome =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly kind: "fault" | "timeout" | "memory" | "throttled" | "too large"; readonly reason: string };

export interface Functions {
  /** Calls a function, by its name: in an environment that is free, or in a new one. */
  invoke(name: string, event: unknown, trace?: string): Promise<Outcome>;
  /** Calls a function without waiting for a place: again and again until there is one, as the service does with calls that nobody waits for. */
  start(name: string, event: unknown): Promise<Outcome>;
  /** What functions wrote, by name. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
  /** The variables that were read, as `function:VARIABLE`. */
  readonly read: ReadonlySet<string>;
  /** Every call that ended otherwise than by an answer. */
  readonly faults: readonly string[];
  /** Puts functions in place of those with their names: calls in work end as they are, and later ones have new environments. */
  replace(made: readonly Made[], assets: Output["assets"]): void;
  /** Lets no environment serve another call: the next ones start anew, at the time that it is then. */
  retire(): void;
  stop(): Promise<void>;
}

export interface FunctionsOptions {
  /** Where services answer. */
  readonly services: string;
  /** A folder for the disks of environments. */
  readonly folder: string;
  /** Calls at once of functions for which nothing is reserved: a new account has ten. */
  readonly accountConcurrency: number;
  /** How much longer than on AWS a function may take, on a machine that does other things as well. */
  readonly patience: number;
  /** Settings besides those of the templates, by the names of their variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** How far the functions' clock is ahead of this machine's, milliseconds; undefined where it is the same. */
  shiftMs(): number | undefined;
  /** Functions, by name, whose time goes by between two looks at it. */
  readonly hurried: ReadonlySet<string>;
  /** Told of each new environment, and of its process. */
  started(made: Made, pid: number | undefined): void;
}

const MAX_EVENT_BYTES = 6 * 1024 * 1024;
/** The service's own bound of an answer: six megabytes and a little. */
const MAX_ANSWER_BYTES = 6_291_556;
const MEMORY_LOOK_MS = 250;
const NO_PLACE_PAUSE_MS = 100;
/** Loaded before anything of a function, it lets all its processes live at another time. */
const SHIFTED_DATE = join(import.meta.dirname, "../examples/fixed-date.ts");
const KB = 1024;
/** Where functions run for which nothing is reserved. No function is called so. */
const SHARED = "";

const Said = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("ready") }),
  z.object({ kind: z.literal("read"), names: z.array(z.string()) }),
  z.object({ kind: z.literal("unready"), errorMessage: z.string() }),
  z.object({ kind: z.literal("done"), id: z.string(), json: z.string() }),
  z.object({ kind: z.literal("failed"), id: z.string(), errorType: z.string(), errorMessage: z.string() }),
]);
type Said = z.output<typeof Said>;

interface Environment {
  readonly child: ChildProcess;
  /** The function that it was made for, as it was then. */
  readonly made: Made;
  /** Environments of an earlier time serve no further call. */
  readonly age: number;
  /** Resolves with the next thing that the process says, or with its end. */
  next(): Promise<Said | undefined>;
}

/** Runs the assets of all functions, an environment being a process that is stopped whenever it has nothing to do. */
export const openFunctions = (options: FunctionsOptions): Functions => {
  let byName: ReadonlyMap<string, Made> = new Map();
  let assets: Output["assets"] = new Map();
  let age = 0;
  const free = new Map<string, Environment[]>();
  const all = new Set<ChildProcess>();
  const logs = new Map<string, string[]>();
  const faults: string[] = [];
  const read = new Set<string>();
  const roots = new Map<string, Promise<string>>();
  let folder: Promise<string> | undefined;
  const runningIn = new Map<string, number>();

  const codeRoot = (key: string): Promise<string> => {
    const asset = assets.get(key);
    if (asset === undefined) throw new Error(`the code ${key} is no asset of the synthesis`);
    const laid = roots.get(key) ?? lay(asset, key);
    roots.set(key, laid);
    return laid;
  };

  const lay = async (asset: string, key: string): Promise<string> => {
    folder ??= codeFolder(join(options.folder, "code"));
    const root = join(await folder, key);
    await layOut(asset, root);
    return root;
  };

  const begin = async (made: Made): Promise<Environment> => {
    const { ref, properties } = made;
    const disk = join(options.folder, `${ref}-${randomUUID()}`);
    mkdirSync(disk, { recursive: true });
    const root = await codeRoot(properties.Code.S3Key);
    const shiftMs = options.shiftMs();
    const child = fork(join(import.meta.dirname, "runtime.ts"), {
      cwd: root,
      detached: true,
      silent: true,
      execArgv: shiftMs === undefined ? [] : ["--import", SHIFTED_DATE],
      env: {
        ...(shiftMs !== undefined && { EXAMPLES_TIME_SHIFT: String(shiftMs) }),
        ...properties.Environment?.Variables,
        ...options.variables,
        PATH: process.env.PATH,
        TZ: ":UTC",
        TMPDIR: disk,
        _HANDLER: properties.Handler,
        LAMBDA_TASK_ROOT: root,
        AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
        AWS_LAMBDA_FUNCTION_NAME: ref,
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize),
        AWS_REGION: REGION,
        AWS_DEFAULT_REGION: REGION,
        AWS_ACCESS_KEY_ID: ref,
        AWS_SECRET_ACCESS_KEY: "rehearsal",
        AWS_ENDPOINT_URL: options.services,
      },
    });
    all.add(child);
    options.started(made, child.pid);
    const heard: (Said | undefined)[] = [];
    const waiting: ((said: Said | undefined) => void)[] = [];
    const hear = (said: Said | undefined): void => {
      const first = waiting.shift();
      if (first === undefined) heard.push(said);
      else first(said);
    };
    child.on("message", (said) => {
      const message = Said.parse(said);
      if (message.kind === "read") for (const name of message.names) read.add(`${ref}:${name}`);
      else hear(message);
    });
    child.once("exit", () => {
      all.delete(child);
      hear(undefined);
    });
    const written = logs.get(ref) ?? [];
    logs.set(ref, written);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => written.push(text));
    const next = () =>
      heard.length > 0 ? Promise.resolve(heard.shift()) : new Promise<Said | undefined>((resolve) => waiting.push(resolve));
    return { child, made, age, next };
  };

  const work = async (one: Made, environment: Environment, event: unknown, trace: string): Promise<Outcome> => {
    const { child, next } = environment;
    const { Timeout, MemorySize } = one.properties;
    const id = randomUUID();
    const allowedMs = Timeout * 1_000 * options.patience;
    let ended: Outcome | undefined;
    const kill = (kind: "timeout" | "memory", reason: string): void => {
      ended = { ok: false, kind, reason };
      signal(child, "SIGKILL");
    };
    const timer = setTimeout(() => kill("timeout", `${one.ref} timed out after ${Timeout} s`), allowedMs);
    const look = setInterval(() => {
      const used = memoryMb(child.pid);
      if (used > MemorySize) kill("memory", `${one.ref} used ${Math.round(used)} of ${MemorySize} MB`);
    }, MEMORY_LOOK_MS);
    child.send({ id, event, trace, remainingMs: allowedMs, hurried: options.hurried.has(one.ref) });
    const said = await next();
    clearTimeout(timer);
    clearInterval(look);
    if (ended !== undefined) return ended;
    if (said?.kind === "failed") return { ok: false, kind: "fault", reason: said.errorMessage };
    if (said?.kind !== "done") return { ok: false, kind: "fault", reason: `${one.ref} ended without an answer` };
    if (Buffer.byteLength(said.json) > MAX_ANSWER_BYTES) return { ok: false, kind: "too large", reason: `${one.ref} answered too much` };
    return { ok: true, json: said.json };
  };

  const serves = (environment: Environment): boolean => environment.age === age && environment.made === byName.get(environment.made.ref);

  const retire = (isOver: (environment: Environment) => boolean): void => {
    for (const [name, kept] of free) {
      for (const { child } of kept.filter(isOver)) signal(child, "SIGKILL");
      free.set(
        name,
        kept.filter((environment) => !isOver(environment)),
      );
    }
  };

  const run = async (one: Made, event: unknown, trace: string): Promise<Outcome> => {
    const warm = free.get(one.ref)?.pop();
    if (warm !== undefined) signal(warm.child, "SIGCONT");
    const environment = warm ?? (await begin(one));
    if (warm === undefined) {
      const said = await environment.next();
      if (said?.kind !== "ready")
        return { ok: false, kind: "fault", reason: said?.kind === "unready" ? said.errorMessage : "ended at its start" };
    }
    const outcome = await work(one, environment, event, trace);
    if (!serves(environment)) signal(environment.child, "SIGKILL");
    else if (environment.child.exitCode === null && environment.child.signalCode === null) {
      signal(environment.child, "SIGSTOP");
      free.set(one.ref, [...(free.get(one.ref) ?? []), environment]);
    }
    return outcome;
  };

  const invoke: Functions["invoke"] = async (name, event, trace = `Root=1-${randomUUID()}`) => {
    const one = byName.get(name);
    if (one === undefined) throw new Error(`there is no function ${name}`);
    if (Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES)
      return { ok: false, kind: "too large", reason: "the event is too large" };
    const reserved: number | undefined = one.properties.ReservedConcurrentExecutions;
    // What is reserved for a function is a place of its own, and nobody else's: the rest is shared.
    const place = reserved === undefined ? SHARED : name;
    const running = runningIn.get(place) ?? 0;
    if (running >= (reserved ?? options.accountConcurrency))
      return { ok: false, kind: "throttled", reason: "the account runs no more functions" };
    runningIn.set(place, running + 1);
    const outcome = await run(one, event, trace).finally(() => runningIn.set(place, (runningIn.get(place) ?? 0) - 1));
    if (!outcome.ok) faults.push(`${name}: ${outcome.kind}: ${outcome.reason}`);
    return outcome;
  };

  return {
    invoke,
    async start(name, event) {
      for (;;) {
        const outcome = await invoke(name, event);
        if (outcome.ok || outcome.kind !== "throttled") return outcome;
        await pause(NO_PLACE_PAUSE_MS);
      }
    },
    logs,
    read,
    faults,
    replace(next, nextAssets) {
      assets = nextAssets;
      const same = (one: Made): Made => {
        const before = byName.get(one.ref);
        return before !== undefined && isDeepStrictEqual(before.properties, one.properties) ? before : one;
      };
      byName = new Map(next.map((one) => [one.ref, same(one)]));
      retire((environment) => !serves(environment));
    },
    retire() {
      age += 1;
      retire(() => true);
    },
    async stop() {
      const ends = [...all].map((child) => new Promise((resolve) => child.once("exit", resolve)));
      for (const child of all) signal(child, "SIGKILL");
      await Promise.all(ends);
    },
  };
};

/** An environment is a group of processes: some functions start others of their own. */
const signal = (child: ChildProcess, name: NodeJS.Signals): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name);
  } catch {
    // It is gone already.
  }
};

/** Memory of a process that is not shared with others, where the system tells it. */
const memoryMb = (pid: number | undefined): number => {
  try {
    const anonymous = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return Number(anonymous ?? 0) / KB;
  } catch {
    return 0;
  }
};

/** The name of a function in an address of it, or before an alias, as mappings, targets and the gateway's integrations give one. */
export const functionName = (named: string): string =>
  new RegExp(`${ACCOUNT}:function:([^/:]+)`).exec(named)?.[1] ?? named.replace(/:.*$/, "");
