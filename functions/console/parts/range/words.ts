import { PRESETS } from "./presets.ts";

interface Dates {
  readonly date_from: string | null;
  readonly date_to: string | null;
}

/** A range as a phrase; nothing where there is none. */
export const rangeWords = ({ date_from: from, date_to: to }: Dates): string | undefined => {
  if (!from && !to) return undefined;
  const preset = to ? undefined : PRESETS.find(({ date_from }) => date_from === from);
  if (preset) return preset.title;
  if (!from) return `Until ${dateWords(to ?? "")}`;
  return to ? `${dateWords(from)} to ${dateWords(to)}` : `Since ${dateWords(from)}`;
};

const UNITS: Readonly<Record<string, string>> = { h: "hour", d: "day", w: "week", m: "month", q: "quarter", y: "year" };

/** A date as it is, and so much before now in words; what is neither stays as the API has it. */
const dateWords = (text: string): string => {
  const [, count, letter = ""] = /^-(\d+)([hdwmqy])$/.exec(text) ?? [];
  const unit = UNITS[letter];
  return unit === undefined ? text.replace(/T00:00(?::00)?$/, "") : `${count} ${unit}${count === "1" ? "" : "s"} ago`;
};
