/** What a check found: one line. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warn" | "fail";
  /** What is the case. */
  readonly says: string;
  /** What to do about it; only where it is not as it should be. */
  readonly advice?: string;
}

export const ok = (check: string, says: string): Finding => ({ check, status: "ok", says });
export const warn = (check: string, says: string, advice: string): Finding => ({ check, status: "warn", says, advice });
export const fail = (check: string, says: string, advice: string): Finding => ({ check, status: "fail", says, advice });

/** What somebody else's error says, in one line without the text that follows. */
export const reason = (thrown: unknown): string => {
  const text =
    thrown instanceof Error ? `${thrown.message}${thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ""}` : String(thrown);
  return text.split("\n", 1)[0] ?? "";
};
