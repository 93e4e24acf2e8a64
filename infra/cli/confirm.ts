import { createInterface } from "node:readline/promises";
import { UserError } from "../local/user-error.ts";

/** Where a question is put: standard output is the command's answer alone. */
export interface Terminal {
  readonly isTerminal: boolean;
  ask(question: string): Promise<string>;
}

/** Somebody who types where a question is shown. */
export const terminalAt = (input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Terminal => ({
  isTerminal: "isTTY" in input && input.isTTY === true,
  async ask(question) {
    const lines = createInterface({ input, output });
    try {
      return await lines.question(question);
    } catch (thrown) {
      // Ctrl-C and Ctrl-D are no, too; the terminal still stands in the line of the question.
      if (!(thrown instanceof Error && thrown.name === "AbortError")) throw thrown;
      output.write("\n");
      return "";
    } finally {
      lines.close();
    }
  },
});

/** Throws a `UserError` unless `--yes` was given, or somebody at a terminal says yes to what cannot be taken back. */
export const confirm = async (
  what: string,
  switches: ReadonlySet<string>,
  terminal = terminalAt(process.stdin, process.stderr),
): Promise<void> => {
  if (switches.has("yes")) return;
  if (!terminal.isTerminal) throw new UserError(`${what} This cannot be taken back: say --yes.`);
  const answer = await terminal.ask(`${what} This cannot be taken back. Type yes to go on: `);
  if (answer.trim().toLowerCase() !== "yes") throw new UserError("Nothing was done.");
};
