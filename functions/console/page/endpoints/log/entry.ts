import type { LogEntry } from "../calls.ts";

/** What entries of runs say in columns of their own. */
const TOKENS = ["path", "cache", "version", "rows", "duration_ms"] as const;
type Token = (typeof TOKENS)[number];

/** An entry of the log with what its message says of a run by itself. */
export interface Entry extends Partial<Readonly<Record<Token, string>>> {
  readonly id: string;
  readonly at: string;
  readonly level: LogEntry["level"];
  /** What is left of the message. */
  readonly message: string;
}

export const entry = ({ instance_id, timestamp, level, message }: LogEntry): Entry => {
  const tokens: Partial<Record<Token, string>> = {};
  const rest = message.replace(/ ?\b(\w+)=(\S+)/g, (token, name: string, value: string) => {
    const known = TOKENS.find((each) => each === name);
    if (known === undefined) return token;
    tokens[known] = value;
    return "";
  });
  return { id: `${timestamp} ${instance_id}`, at: timestamp, level, message: rest.replace(/ ·$/, ""), ...tokens };
};
