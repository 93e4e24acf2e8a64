import { isObject, type Json, objectOr, readJson } from "./json.ts";

/** Whether the state that a trace ended in says that its last turn called tools, and none that costs anything. */
export const isFreeTrace = (state: unknown): boolean => {
  const { messages } = objectOr(typeof state === "string" ? readJson(state) : state);
  const calls: Json[] = [];
  for (const message of Array.isArray(messages) ? messages : []) {
    const { type, tool_calls: called } = objectOr(message);
    // A person begins another turn.
    if (type === "human") calls.length = 0;
    if (Array.isArray(called)) calls.push(...called.filter(isObject));
  }
  return calls.length > 0 && calls.every(({ name, args }) => isFree(name, objectOr(args)));
};

const isFree = (name: unknown, { kind }: Json): boolean => name === "summarize_sessions" || (name === "search" && kind === "docs");
