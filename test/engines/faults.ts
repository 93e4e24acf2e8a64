import { ReaderFault } from "./readers/python.ts";

/** Characters of an engine's error and of the end of its trace. */
const SENTENCE = 600;
const TRACE = 600;

/** What readers got wrong, each told as it comes. */
export class Faults {
  readonly #most: number;
  readonly #tell: (sentence: string) => void;
  count = 0;

  /** After `most` of them there is nothing more to learn. */
  constructor(most: number, tell: (sentence: string) => void) {
    this.#most = most;
    this.#tell = tell;
  }

  add(sentence: string): void {
    this.count += 1;
    this.#tell(`FAULT ${sentence}`);
    if (this.count >= this.#most) throw new TooMany(`${this.count} faults`);
  }

  /** What a reader was asked to do; its error is a fault, too. */
  async during<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof Error)) throw thrown;
      const trace = thrown instanceof ReaderFault ? `\n${thrown.trace.slice(-TRACE)}` : "";
      this.add(`${what}: ${thrown.message.slice(0, SENTENCE)}${trace}`);
      return undefined;
    }
  }
}

export class TooMany extends Error {}
