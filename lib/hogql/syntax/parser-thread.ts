import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { compileCache } from "../../core/compile-cache.ts";
import { openFairQueue } from "../../core/fair-queue.ts";
import { Defect } from "../../core/unreachable.ts";
import { QueryError } from "../errors.ts";
import type { ParserAnswer, ParserOrder } from "./parser-program.ts";

/**
 * The work of a text is limited before it gets here (`parse.ts`). These limits are the net beneath, for cost that was not foreseen:
 * processor time of one text, milliseconds, and the longest it may take where others have the processor. Nothing inside of the parser
 * looks at a clock: so it runs in a thread, which is ended with the text.
 */
const PARSE_CPU_MS = 5_000;
const PARSE_MS = 60_000;
/** How often the thread's time is looked at. */
const LOOK_MS = 50;

const MICROS_PER_MS = 1_000;

/** The project of texts that the platform parses for none: they take turns, too. */
export const NOBODY = 0;

/** A thread is made and its code loaded within this, on a machine that has much else to do. */
const START_MS = 60_000;

/** Texts of one project that may wait for the one that is parsed. */
const MAX_WAITING = 64;

/** Beside this module as it is written, and in a bundle. */
const PROGRAM = fileURLToPath(new URL(import.meta.url.endsWith(".ts") ? "./parser-program.ts" : "./parser-program.mjs", import.meta.url));

/**
 * Texts of different projects that are parsed at once, each in a thread of its own: while one takes long, others have a thread left. The
 * second is started when it is needed first, because each takes some 40 MB.
 */
const LANES = 2;

/** By lane. */
const threads = new Map<number, Worker>();
let numbers = 0;
const queue = openFairQueue(MAX_WAITING, LANES);

/**
 * The language's parser's answer to the pieces of a text. One text of a project at a time, in threads beside those that serve others, and
 * in turns by project. Throws `QueryError` for a text that takes too long, and `Busy` where too many wait.
 */
export const parseInThread = (parts: ParserOrder["parts"], project = NOBODY): Promise<ParserAnswer> =>
  queue.run(project, (lane) => ask(lane, parts));

const ask = async (lane: number, parts: ParserOrder["parts"]): Promise<ParserAnswer> => {
  const worker = await running(lane);
  // From here on there is an answer to wait for, and a program that waits for nothing else must not end before it.
  worker.ref();
  const id = numbers++;
  const { promise, resolve, reject } = Promise.withResolvers<ParserAnswer>();
  const hear = (answer: ParserAnswer): void => {
    if (answer.id === id) resolve(answer);
  };
  const fail = (error: Error): void => reject(new Defect(`the parser's thread failed: ${error.message}`));
  const before = await worker.cpuUsage();
  const tooLong = (): void => reject(new QueryError("query_too_large", TOO_LONG));
  const late = setTimeout(tooLong, PARSE_MS);
  const watch = setInterval(async () => {
    const { user, system } = await worker.cpuUsage(before).catch(() => before);
    if ((user + system) / MICROS_PER_MS > PARSE_CPU_MS) tooLong();
  }, LOOK_MS);
  worker.on("message", hear).once("error", fail);
  try {
    worker.postMessage({ id, parts: parts.map(({ kind, text }) => ({ kind, text })) } satisfies ParserOrder);
    return await promise;
  } catch (error) {
    threads.delete(lane);
    void worker.terminate();
    throw error;
  } finally {
    clearTimeout(late);
    clearInterval(watch);
    worker.off("message", hear).off("error", fail);
    worker.unref();
  }
};

const TOO_LONG = "The query takes too long to be parsed. Write it with fewer levels of nesting, or in several parts.";

/** A thread that is ready to parse: its start is not counted against the text that happens to come first. */
const running = async (lane: number): Promise<Worker> => {
  const known = threads.get(lane);
  if (known !== undefined) return known;
  const started = new Worker(PROGRAM, { env: compileCache(process.env) });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const late = setTimeout(() => reject(new Defect("the parser's thread did not start")), START_MS);
  started.once("message", () => resolve()).once("error", reject);
  started.postMessage({ id: -1, parts: [{ kind: "expression", text: "1" }] } satisfies ParserOrder);
  try {
    await promise;
  } catch (error) {
    void started.terminate();
    throw error;
  } finally {
    clearTimeout(late);
  }
  threads.set(lane, started);
  started.once("exit", () => {
    if (threads.get(lane) === started) threads.delete(lane);
  });
  // It keeps nobody alive.
  started.unref();
  return started;
};
