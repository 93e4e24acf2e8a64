import { Worker } from "node:worker_threads";
import { isFromProject } from "../../../functions/capture/from-project.ts";
import { capture } from "../../../functions/capture/group.ts";
import type { Group } from "../../../lib/app/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import type { HttpReply, HttpRequest } from "../../../lib/http/request.ts";
import { corsHeaders, saysItIsLonger } from "../../../lib/http/sdk.ts";
import type { Log } from "../../../lib/ports/system.ts";
import type { LocalStores } from "../world.ts";
import type { ThreadLine } from "./thread-messages.ts";

/** A body that is longer, or says that it will be, keeps a thread busy for five milliseconds, or for many times that if it is hostile. */
const LARGE_BYTES = 512 * 1024;

/** A thread that has had nothing to do for so long is ended: what its heap grew to is given back then. */
const IDLE_MS = 10_000;

/** A body of the greatest size takes a third of a gigabyte while it is read. */
const HEAP = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1_024 };

/** A large request on its way to the thread, and its answer. */
export interface LargeBodyOrder {
  readonly number: number;
  readonly request: HttpRequest;
}
export interface LargeBodyAnswer {
  readonly number: number;
  readonly reply: HttpReply;
}

export interface LargeBodies {
  /** Capture, whose large bodies are read in a thread of their own, as by another instance of its function when deployed. */
  readonly group: Group;
  /** Ends the thread; what it has not answered is told to come again. */
  stop(): Promise<void>;
}

/** Where the thread finds the platform, and who writes its lines. Asked when the first large body comes. */
interface Surroundings {
  readonly place: LocalStores;
  readonly log: Log;
}

/** A request that the thread has not answered. */
interface Waiting {
  answer(reply: HttpReply): void;
  readonly headers: HttpReply["headers"];
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/** Keeps large bodies from the thread that answers everybody: its requests would wait for each of them to be parsed. */
export const largeBodiesAside = (surroundings: () => Surroundings): LargeBodies => {
  let thread: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let count = 0;

  const start = (): Thread => {
    const { place, log } = surroundings();
    const worker = new Worker(new URL("./large-bodies-thread.ts", import.meta.url), { workerData: place, resourceLimits: HEAP });
    const started: Thread = { worker, waiting: new Map() };
    worker.on("message", (message: ThreadLine | LargeBodyAnswer) => {
      if ("level" in message) return log.line(message.level, message.event, message.fields);
      started.waiting.get(message.number)?.answer(message.reply);
      started.waiting.delete(message.number);
      if (started.waiting.size === 0) restUntilNext(started);
    });
    worker.on("error", (fault) => log.line("error", "thread_failed", { thread: "large bodies", fault: String(fault) }));
    worker.once("exit", () => {
      if (thread === started) thread = undefined;
      for (const { answer, headers } of started.waiting.values()) answer({ ...COME_AGAIN, headers: { ...COME_AGAIN.headers, ...headers } });
    });
    return started;
  };

  const restUntilNext = (resting: Thread): void => {
    idle = setTimeout(() => {
      if (thread === resting) thread = undefined;
      void resting.worker.terminate();
    }, IDLE_MS).unref();
  };

  const hand = (request: HttpRequest): Promise<HttpReply> => {
    clearTimeout(idle);
    thread ??= start();
    const { worker, waiting } = thread;
    count += 1;
    const number = count;
    const { promise, resolve } = Promise.withResolvers<HttpReply>();
    waiting.set(number, { answer: resolve, headers: corsHeaders(request) });
    const { buffer, byteLength } = request.body;
    // Nobody reads it here any more, so that it need not be there twice.
    const moved = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
    worker.postMessage({ number, request } satisfies LargeBodyOrder, moved);
    return promise;
  };

  const isLarge = (request: HttpRequest): boolean => request.body.length > LARGE_BYTES || saysItIsLonger(request, LARGE_BYTES);
  return {
    group: Object.freeze({
      ...capture,
      // For an unknown sender no thread is started.
      serve: async (request: HttpRequest, world: World) =>
        isLarge(request) && (await isFromProject(request, world)) ? hand(request) : capture.serve(request, world),
    }),
    async stop() {
      clearTimeout(idle);
      await thread?.worker.terminate();
    },
  };
};

const COME_AGAIN: HttpReply = {
  status: 503,
  headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "5" },
  body: "transient error, please retry",
};
