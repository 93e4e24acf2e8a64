/** A day as 1 Nov 2026; with its time where it does not begin at midnight in the zone. */
export const dayText = (at: string, timeZone: string): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  const day = date.toLocaleDateString("en-GB", { timeZone, dateStyle: "medium" });
  const time = date.toLocaleTimeString("en-GB", { timeZone, timeStyle: "short" });
  return time === "00:00" ? day : `${day}, ${time}`;
};

/** From a first moment until the one after the last. */
export const spanText = (from: string, to: string, timeZone: string): string => `${dayText(from, timeZone)} until ${dayText(to, timeZone)}`;
