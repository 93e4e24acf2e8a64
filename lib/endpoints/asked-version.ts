/** A version as a call asks for it: of more digits than a number holds it is none, and the answer that says so repeats them all. */
export type AskedVersion = number | bigint;

/** The whole number that a text says; undefined where it says none. */
export const askedVersion = (text: string): AskedVersion | undefined => {
  const [, digits] = /^\s*([+-]?\d+)(?:\.0*)?\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
};

/** Whether a version may have this number. */
export const mayExist = (asked: AskedVersion): asked is number => typeof asked === "number" && asked >= 1;
