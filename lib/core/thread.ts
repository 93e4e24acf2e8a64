import { parentPort, Worker } from "node:worker_threads";
import { collectWhenIdle } from "./collect-when-idle.ts";
import { compileCache } from "./compile-cache.ts";
import { Defect } from "./unreachable.ts";

/** How long a thread may take for one order, in milliseconds: of processor time, and where others have the processor. */
export interface ThreadTimes {
  readonly cpuMs: number;
  readonly ms: number;
}

/** The thread was ended because it took too long for an order, or ended by itself: the next order gets a new one. */
export class ThreadEnded extends Error {
  override readonly name = "ThreadEnded";
  readonly tookTooLong: boolean;
  constructor(reason: string, tookTooLong: boolean) {
    super(reason);
    this.tookTooLong = tookTooLong;
  }
}

/** A program in a thread of its own, beside those that serve others. It is started by its first order and stays; it keeps nobody alive. */
export interface Thread<O, A> {
  /** The program's answer to an order: one at a time, whoever asks sees to that. Throws `ThreadEnded`. */
  ask(order: O): Promise<A>;
}

/** A thread is made and its code loaded within this, on a machine that has much else to do. */
const START_MS = 60_000;

/** How often the thread's time is looked at. */
const LOOK_MS = 50;

const MICROS_PER_MS = 1_000;

/** A thread of the program in a file, which calls `answerOrders`. */
export const openThread = <O, A>(file: string, { cpuMs, ms }: ThreadTimes): Thread<O, A> => {
  let ready: Worker | undefined;

  const running = async (): Promise<Worker> => {
    if (ready !== undefined) return ready;
    const started = new Worker(file, { env: compileCache(process.env) });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => reject(new Defect(`the thread of ${file} did not start`)), START_MS);
    // It says that it is there: its start is not counted against the order that happens to come first.
    started.once("message", () => resolve()).once("error", reject);
    try {
      await promise;
    } catch (error) {
      void started.terminate();
      throw error;
    } finally {
      clearTimeout(late);
    }
    ready = started;
    started.once("exit", () => {
      if (ready === started) ready = undefined;
    });
    // Whatever ends it between two orders is nobody's: the next one starts another.
    started.on("error", () => undefined);
    started.unref();
    return started;
  };

  return {
    async ask(order) {
      const worker = await running();
      // From here on there is an answer to wait for, and a program that waits for nothing else must not end before it.
      worker.ref();
      const { promise, resolve, reject } = Promise.withResolvers<A>();
      const fail = (error: Error): void => reject(new ThreadEnded(`the thread failed: ${error.message}`, false));
      const before = await worker.cpuUsage();
      const tooLong = (): void => reject(new ThreadEnded("the thread took too long", true));
      const late = setTimeout(tooLong, ms);
      const watch = setInterval(async () => {
        const { user, system } = await worker.cpuUsage(before).catch(() => before);
        if ((user + system) / MICROS_PER_MS > cpuMs) tooLong();
      }, LOOK_MS);
      worker.once("message", resolve).once("error", fail);
      try {
        worker.postMessage(order);
        return await promise;
      } catch (error) {
        ready = undefined;
        void worker.terminate();
        throw error;
      } finally {
        clearTimeout(late);
        clearInterval(watch);
        worker.off("message", resolve).off("error", fail);
        worker.unref();
      }
    },
  };
};

/** The other side, called once by the program of a thread: says that it is there, and answers each order. */
export const answerOrders = <O, A>(answer: (order: O) => A | Promise<A>): void => {
  parentPort?.on("message", async (order: O) => {
    parentPort?.postMessage(await answer(order));
    collectWhenIdle();
  });
  parentPort?.postMessage(null);
};
