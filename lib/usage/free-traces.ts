import { isFields } from "../event/fields.ts";

/** Tools whose use alone costs nothing; a search only in the documentation. */
const FREE_TOOLS: ReadonlySet<unknown> = new Set(["summarize_sessions", "search"]);
const SEARCH = "search";
const DOCUMENTATION = "docs";

/** Whether a trace's state after its last turn shows calls of tools, and all of them calls that cost nothing. */
export const isFreeTrace = (state: unknown): boolean => {
  const calls = lastTurnOf(messagesOf(state)).flatMap(callsOf);
  return calls.length > 0 && calls.every(isFree);
};

const messagesOf = (state: unknown): readonly unknown[] => listIn(typeof state === "string" ? parsed(state) : state, "messages");

/** What came after the last message of a person. */
const lastTurnOf = (messages: readonly unknown[]): readonly unknown[] =>
  messages.slice(messages.findLastIndex((message) => isFields(message) && message.type === "human") + 1);

const callsOf = (message: unknown): readonly unknown[] => listIn(message, "tool_calls");

const isFree = (call: unknown): boolean => {
  if (!isFields(call) || !FREE_TOOLS.has(call.name)) return false;
  return call.name !== SEARCH || (isFields(call.args) && call.args.kind === DOCUMENTATION);
};

const listIn = (value: unknown, name: string): readonly unknown[] => {
  const found = isFields(value) ? value[name] : undefined;
  return Array.isArray(found) ? found : [];
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
