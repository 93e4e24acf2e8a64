const DAY = 86_400;

const parts = (zone: string) =>
  new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });

/**
 * Labels of moments (seconds, ascending) below an axis: the finest part that differs, and below it the coarser one where it begins
 * anew, as `14:00` over `22 Sep`.
 */
export const timeLabels = (moments: readonly number[], zone = "UTC"): string[] => {
  const clock = parts(zone);
  const step = (moments[1] ?? DAY) - (moments[0] ?? 0);
  let before = "";
  return moments.map((moment) => {
    const said = Object.fromEntries(clock.formatToParts(moment * 1_000).map(({ type, value }) => [type, value]));
    const { year = "", month = "", day = "", hour, minute, second } = said;
    const [fine, coarse] =
      step < 60
        ? [`${hour}:${minute}:${second}`, `${day} ${month}`]
        : step < DAY
          ? [`${hour}:${minute}`, `${day} ${month}`]
          : step < 28 * DAY
            ? [`${day} ${month}`, year]
            : step < 365 * DAY
              ? [month, year]
              : [year, ""];
    const label = coarse === before || coarse === "" ? fine : `${fine}\n${coarse}`;
    before = coarse;
    return label;
  });
};

/** Sizes between which a number with its letter is short. */
const SHORT_FROM = 1e-4;
const SHORT_TO = 1e15;

/** Labels of numbers (evenly apart, ascending) beside an axis: short ones, as `12.5K`, with as many digits as tell each from the next. */
export const numberLabels = (numbers: readonly number[]): string[] => {
  const largest = Math.max(0, ...numbers.map(Math.abs));
  const step = (numbers[1] ?? 0) - (numbers[0] ?? 0) || largest || 1;
  // One for what is rounded up, and one for steps such as 2.5.
  const digits = Math.min(MOST_DIGITS, Math.ceil(Math.log10(Math.max(1, largest / step))) + 2);
  const short = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: digits });
  const scientific = new Intl.NumberFormat("en", { notation: "scientific", maximumSignificantDigits: digits });
  return numbers.map((value) => {
    const size = Math.abs(value);
    return (size !== 0 && (size < SHORT_FROM || size >= SHORT_TO) ? scientific : short).format(value);
  });
};

/** Those that a number has. */
const MOST_DIGITS = 15;
