import { UserError } from "../local/user-error.ts";
import { DocumentProblem } from "./apply/problem.ts";

/** What a command that failed prints: a sentence where whoever ran it can put it right, else where it comes from. */
export const failureText = async (thrown: unknown): Promise<string> => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof UserError || thrown instanceof DocumentProblem) return thrown.message;
  // Read only here: help is there at once.
  const { isDiskFull } = await import("../../lib/core/unavailable.ts");
  if (isDiskFull(thrown)) return "The disk is full: make room, and run the same command again.";
  return thrown.stack ?? thrown.message;
};
