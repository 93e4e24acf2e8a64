import { PRESETS } from "./presets.ts";

interface Dates {
  readonly date_from: string | null;
  readonly date_to: string | null;
}

/** A range as a phrase; nothing where there is none. */
export const rangeWords = ({ date_from: from, date_to: to }: Dates): string | undefined => {
  if (!from) return to ? `Until ${dateWords(to)}` : undefined;
  if (to) return `${dateWords(from)} to ${dateWords(to)}`;
  const preset = PRESETS.find(({ date_from }) => date_from === from);
  const span = spanWords(from);
  return preset?.title ?? (span ? `Last ${span}` : `Since ${dateWords(from)}`);
};

const UNITS: Readonly<Record<string, string>> = { h: "hour", d: "day", w: "week", m: "month", q: "quarter", y: "year" };

/** So much before now, as `-14d`, in words; nothing for other dates. */
const spanWords = (text: string): string | undefined => {
  const [, count, letter = ""] = /^-(\d+)([hdwmqy])$/.exec(text) ?? [];
  const unit = UNITS[letter];
  return unit && `${count} ${unit}${count === "1" ? "" : "s"}`;
};

/** A date as it is, without a midnight; what is neither date nor span stays as the API has it. */
const dateWords = (text: string): string => {
  const span = spanWords(text);
  return span ? `${span} ago` : text.replace(/T00:00(?::00)?$/, "");
};
