import { createInterface } from "node:readline/promises";
import { UserError } from "../local/user-error.ts";

/** Where a question is put: standard output is the command's answer alone. */
export interface Terminal {
  readonly isTerminal: boolean;
  ask(question: string): Promise<string>;
}

const TERMINAL: Terminal = {
  isTerminal: process.stdin.isTTY === true,
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return await lines.question(question);
    } finally {
      lines.close();
    }
  },
};

/** Throws a `UserError` unless `--yes` was given, or somebody at a terminal says yes to what cannot be taken back. */
export const confirm = async (what: string, switches: ReadonlySet<string>, terminal = TERMINAL): Promise<void> => {
  if (switches.has("yes")) return;
  if (!terminal.isTerminal) throw new UserError(`${what} This cannot be taken back: say --yes.`);
  const answer = await terminal.ask(`${what} This cannot be taken back. Type yes to go on: `);
  if (answer.trim().toLowerCase() !== "yes") throw new UserError("Nothing was done.");
};
