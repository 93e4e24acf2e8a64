import type { Explanation, StackFrame } from "../calls.ts";

/** Frames that an explanation names. */
const NAMED = 3;

/** How a fingerprint was made, as a sentence without its subject: `made of the type and 2 frames (total, submit)`. */
export const explanationText = ({ how, rule, record }: Explanation, frames: readonly StackFrame[]): string => {
  if (how === "manual") return "sent by the program itself";
  if (how === "rule") return rule?.description ? `made by the grouping rule “${rule.description}”` : "made by a grouping rule";
  if (record === null) return "made of what its first event said";
  const has = (piece: string): boolean => record.some(({ type, pieces = [] }) => type === "exception" && pieces.includes(piece));
  const used = record.filter(({ type }) => type === "frame");
  const names = used.slice(0, NAMED).map(({ raw_id }) => nameOf(frames.find((frame) => frame.raw_id === raw_id)));
  const more = used.length > NAMED ? ` and ${used.length - NAMED} more` : "";
  const parts = [
    "the type",
    ...(has("Exception Message") ? ["the message"] : []),
    ...(has("Network target") ? ["where the request went"] : []),
    ...(used.length === 0 ? [] : [`${used.length === 1 ? "1 frame" : `${used.length} frames`} (${names.join(", ")}${more})`]),
  ];
  return `made of ${parts.join(" and ")}`;
};

const nameOf = (frame: StackFrame | undefined): string => {
  const { resolved_name, mangled_name } = (frame?.contents ?? {}) as { resolved_name?: string; mangled_name?: string };
  return resolved_name || mangled_name || "anonymous";
};
