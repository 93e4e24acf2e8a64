import { Refused } from "../event/refused.ts";

const MAX_TOKEN_BYTES = 64;
const SPACES: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n"]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the rule is about every character of ASCII, control characters included.
const ASCII = /^[\x00-\x7f]*$/;

/** A project token freed of surrounding white space. Throws `Refused` (401) for one that cannot be a project's. */
export const checkedToken = (raw: string): string => {
  const token = trimmed(raw);
  const fault = faultOf(token);
  if (fault !== null) throw new Refused(401, `API key is not valid: ${fault}`);
  return token;
};

/** By hand and in linear time: `trim` takes more than these four, and a pattern backtracks over long runs. */
const trimmed = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && SPACES.has(text.charAt(start))) start++;
  while (end > start && SPACES.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};

const faultOf = (token: string): string | null => {
  if (token === "") return "empty";
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) return "too_long";
  if (!ASCII.test(token)) return "not_ascii";
  if (token.startsWith("phx_")) return "personal_api_key";
  return token.includes("\0") ? "null_byte" : null;
};
