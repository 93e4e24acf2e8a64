import { isDiskFull } from "../../lib/core/unavailable.ts";
import { UserError } from "../local/user-error.ts";
import { DocumentProblem } from "./apply/problem.ts";

/** What a command that failed prints: a sentence where whoever ran it can put it right, else where it comes from. */
export const failureText = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return String(thrown);
  if (thrown instanceof UserError || thrown instanceof DocumentProblem) return thrown.message;
  if (isDiskFull(thrown)) return `The disk is full (${thrown.message}): make room, and run the same command again.`;
  return thrown.stack ?? thrown.message;
};
