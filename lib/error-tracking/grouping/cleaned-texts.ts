import { cache } from "../../core/cache.ts";

/** Texts remembered, each with what it becomes: programs have few files and functions, and show the same ones all day. */
const MOST_KEPT = 5_000;
/** A longer one is not remembered, so that all of them together stay small. */
const MOST_CHARACTERS = 400;

/** Remembers what a function makes of texts. */
export const rememberingTexts = (clean: (text: string) => string): ((text: string) => string) => {
  const known = cache<string, string>({ capacity: MOST_KEPT });
  return (text) => {
    if (text.length > MOST_CHARACTERS) return clean(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = clean(text);
    known.set(text, made);
    return made;
  };
};
