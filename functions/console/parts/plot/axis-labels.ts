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
