/** The version number that a call asks for. A bigint is too large to be a version; the error that says so repeats all its digits. */
export type RequestedVersion = number | bigint;

/** Reads a whole number; undefined for any other text. */
export const parseVersion = (text: string): RequestedVersion | undefined => {
  const [, digits] = /^\s*([+-]?\d+)(?:\.0*)?\s*$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
};

/** Whether there can be a version of this number. */
export const isPossibleVersion = (version: RequestedVersion): version is number => typeof version === "number" && version >= 1;
