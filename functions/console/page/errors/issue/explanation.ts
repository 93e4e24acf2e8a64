import type { Explanation, Piece, StackFrame } from "../calls.ts";

/** Frames that an explanation names. */
const NAMED = 3;

/** How a fingerprint was made, as a sentence without its subject: `made of the type and 2 frames (total, submit)`. */
export const explanationText = ({ how, rule, record }: Explanation, frames: readonly StackFrame[]): string => {
  if (how === "manual") return "sent by the program itself";
  if (how === "rule") return rule?.description ? `made by the grouping rule “${rule.description}”` : "made by a grouping rule";
  if (record?.[0]?.type === "overflow") return "given to all that began when the project had as many new issues as it may have in a day";
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

/** A piece of a fingerprint and what of it counts, as `total (/src/cart.ts): Source file name, Resolved function name`. */
export const pieceText = ({ type, pieces = [], frame }: Piece): string => {
  switch (type) {
    case "exception":
      return `The exception: ${pieces.join(", ")}`;
    case "frame": {
      const { source } = (frame?.contents ?? {}) as { source?: string };
      return `${nameOf(frame ?? undefined)}${source ? ` (${source})` : ""}: ${pieces.join(", ")}`;
    }
    case "manual":
      return "The program itself sent it.";
    case "custom":
      return "The rule alone.";
    case "overflow":
      return "Nothing of the exception.";
  }
};
