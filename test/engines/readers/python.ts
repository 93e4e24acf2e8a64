import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A program of this folder that answers requests, one after the other. */
export interface PythonProgram {
  /** Rejects with the program's own sentence where it fails, and where it ends. */
  ask<T>(what: string, given?: object): Promise<T>;
  close(): Promise<void>;
}

interface Answer {
  readonly value?: unknown;
  readonly error?: string;
  readonly trace?: string;
}

/** What an engine says in the words of its own error. */
export class ReaderFault extends Error {
  readonly trace: string;

  constructor(message: string, trace: string) {
    super(message);
    this.trace = trace;
  }
}

/** Starts `file` of this folder. What it prints besides answers is kept, and said when it ends of itself. */
export const startPython = (python: string, file: string, env: Readonly<Record<string, string>> = {}): PythonProgram => {
  const child = spawn(python, ["-u", join(import.meta.dirname, file)], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...env },
  });
  let said = "";
  child.stderr.on("data", (piece: Buffer) => {
    said = (said + piece.toString()).slice(-8_000);
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answered = async (): Promise<Answer> => {
    const { value, done } = await lines.next();
    if (done) throw new ReaderFault(`${file} ended`, said);
    return JSON.parse(value) as Answer;
  };
  let turn: Promise<unknown> = Promise.resolve();
  return {
    ask<T>(what: string, given: object = {}): Promise<T> {
      const asked = turn.then(async () => {
        child.stdin.write(`${JSON.stringify({ do: what, ...given })}\n`);
        const { value, error, trace = "" } = await answered();
        if (error !== undefined) throw new ReaderFault(error, trace);
        return value as T;
      });
      turn = asked.catch(() => undefined);
      return asked;
    },
    close: () => ended(child),
  };
};

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.stdin?.end();
  await gone;
};
