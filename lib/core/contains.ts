import { type Budget, spend } from "./budget.ts";

/** Characters that the engine's own search looks through in the time of a step. */
const AT_ONCE = 4;

/** The longest part for which that search is linear: its tables for what repeats itself reach no further. */
const MOST_CHARACTERS = 240;

/** Whether a part stands in a text, in time linear in both whatever they are. Throws `BudgetExhausted`. */
export const contains = (text: string, part: string, budget: Budget): boolean => {
  if (part.length <= MOST_CHARACTERS) {
    spend(budget, text.length / AT_ONCE);
    return text.includes(part);
  }
  spend(budget, text.length + part.length);
  return part.length <= text.length && containsLong(text, part);
};

/** The search of Knuth, Morris and Pratt: of what was found of the part so far, it keeps as much as may still lead to all of it. */
const containsLong = (text: string, part: string): boolean => {
  const borders = new Int32Array(part.length);
  const longer = (found: number, character: number): number => {
    let length = found;
    while (length > 0 && part.charCodeAt(length) !== character) length = borders[length - 1] ?? 0;
    return part.charCodeAt(length) === character ? length + 1 : 0;
  };
  for (let at = 1; at < part.length; at += 1) borders[at] = longer(borders[at - 1] ?? 0, part.charCodeAt(at));
  let found = 0;
  for (let at = 0; at < text.length; at += 1) {
    found = longer(found, text.charCodeAt(at));
    if (found === part.length) return true;
  }
  return false;
};
