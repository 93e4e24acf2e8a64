const SPACES: ReadonlySet<string> = new Set([" ", "\t", "\r", "\n"]);

/**
 * A token freed of the white space around it. By hand and in linear time: `trim` takes more than these four, and a pattern
 * backtracks over long runs.
 */
export const trimmedToken = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && SPACES.has(text.charAt(start))) start++;
  while (end > start && SPACES.has(text.charAt(end - 1))) end--;
  return text.slice(start, end);
};
