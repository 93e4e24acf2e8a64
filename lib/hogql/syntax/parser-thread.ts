import { fileURLToPath } from "node:url";
import { openFairQueue } from "../../core/fair-queue.ts";
import { openThread, type Thread, ThreadEnded } from "../../core/thread.ts";
import { Defect } from "../../core/unreachable.ts";
import { QueryError } from "../errors.ts";
import type { ParserAnswer, ParserOrder } from "./parser-program.ts";

/**
 * The work of a text is limited before it gets here (`parse.ts`). These times, of one text, are the net beneath, for cost that was not
 * foreseen. Nothing inside of the parser looks at a clock: so it runs in a thread, which is ended with the text.
 */
const TIMES = { cpuMs: 5_000, ms: 60_000 } as const;

/** The project of texts that the platform parses for none: they take turns, too. */
export const NOBODY = 0;

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
const threads = new Map<number, Thread<ParserOrder, ParserAnswer>>();
const queue = openFairQueue(MAX_WAITING, LANES);

/**
 * The language's parser's answer to the pieces of a text. One text of a project at a time, in threads beside those that serve others, and
 * in turns by project. Throws `QueryError` for a text that takes too long, and `Busy` where too many wait.
 */
export const parseInThread = (parts: ParserOrder["parts"], project = NOBODY): Promise<ParserAnswer> =>
  queue.run(project, (lane) => ask(lane, parts));

const ask = async (lane: number, parts: ParserOrder["parts"]): Promise<ParserAnswer> => {
  const thread = threads.get(lane) ?? openThread<ParserOrder, ParserAnswer>(PROGRAM, TIMES);
  threads.set(lane, thread);
  try {
    return await thread.ask({ parts: parts.map(({ kind, text }) => ({ kind, text })) });
  } catch (error) {
    if (!(error instanceof ThreadEnded)) throw error;
    throw error.tookTooLong ? new QueryError("query_too_large", TOO_LONG) : new Defect("the parser's thread failed", { cause: error });
  }
};

const TOO_LONG = "The query takes too long to be parsed. Write it with fewer levels of nesting, or in several parts.";
