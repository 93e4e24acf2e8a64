import { UserError } from "../local/user-error.ts";

/** When a UTC day that was typed begins, milliseconds since 1970. Throws a `UserError` for what is none, such as February 30. */
export const readDay = (text: string): number => {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at) && new Date(at).toISOString().startsWith(text)) return at;
  throw new UserError(`"${text}" is no day: write it as 2026-11-30.`);
};
