import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

/** The zone in which times are said. */
const ZoneContext = createContext("UTC");
export const ZoneProvider = ZoneContext.Provider;
export const useZone = (): string => useContext(ZoneContext);

type Instant = string | number | Date;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** How long ago, or how far ahead, in the largest unit that fits. */
const agoText = (at: Instant, now = Date.now()): string => {
  const seconds = (new Date(at).getTime() - now) / 1_000;
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / size), unit);
};

/** The exact time in a zone, as 2026-11-23 14:05:09. */
export const exactText = (at: Instant, timeZone: string): string => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return String(at);
  return date.toLocaleString("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
};

const TICK_MS = 10_000;

/** A time said as how long ago it was, with the exact one on hover. */
export const Ago = ({ at }: { readonly at: Instant }) => {
  const zone = useZone();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const iso = new Date(at);
  if (Number.isNaN(iso.getTime())) return <>{String(at)}</>;
  return (
    <time dateTime={iso.toISOString()} title={`${exactText(at, zone)} ${zone}`}>
      {agoText(at, Math.max(now, iso.getTime()))}
    </time>
  );
};

/** An exact time of a project's zone. */
export const Exact = ({ at }: { readonly at: Instant }) => {
  const zone = useZone();
  return <time title={zone}>{exactText(at, zone)}</time>;
};
