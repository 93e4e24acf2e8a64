import { type ExactNumber, toDouble } from "../core/exact-json.ts";
import { DAY_MS, HOUR_US } from "../core/time.ts";

const MICROS_PER_MS = 1_000n;
/** Less than this between sending and receiving is latency; correcting it would move retries to other days. */
const LEAST_SKEW_US = 120_000_000n;
/** An event further ahead than this gets the receive time. */
const MOST_AHEAD_US = 23n * HOUR_US;
/** The first microsecond of year 0 and the first after year 9999. */
const YEAR_0_US = -62_167_219_200_000_000n;
const YEAR_10000_US = 253_402_300_800_000_000n;

/** A request's times, fixed by capture; microseconds since 1970. */
export interface RequestTimes {
  readonly received: bigint;
  readonly sentAt: bigint | null;
  /** The request's historical_migration flag. */
  readonly historical: boolean;
}

/** An event's own times. */
export interface StatedTime {
  readonly timestamp?: string | null | undefined;
  /** Milliseconds before the receive time. */
  readonly offset?: number | ExactNumber | null | undefined;
  /** `$ignore_sent_at: true`. */
  readonly ignoreSentAt: boolean;
  /** Whether the client named the event: then its time does not decide which event it is. */
  readonly hasUuid?: boolean;
}

export interface EventTime {
  /** The stored time, microseconds since 1970. */
  readonly micros: bigint;
  /** False where the event states no readable time, so that a time of its request stands for it. */
  readonly stated: boolean;
}

/** The stored time of an event. Reads no clock: every delivery of a message gives the same. */
export const eventTime = (event: StatedTime, request: RequestTimes): EventTime => {
  const micros = statedMicros(event, request);
  return { micros: bounded(micros ?? unstatedMicros(event, request), request.received), stated: micros !== undefined };
};

/** A retry of an import repeats its sent_at and is received later: by sent_at an event without uuid gives the same row. */
const unstatedMicros = ({ hasUuid = false }: StatedTime, { historical, sentAt, received }: RequestTimes): bigint =>
  historical && !hasUuid ? (sentAt ?? received) : received;

const statedMicros = ({ timestamp, offset, ignoreSentAt }: StatedTime, request: RequestTimes): bigint | undefined => {
  const before = toDouble(offset);
  if (before !== undefined) return request.received - BigInt(before) * MICROS_PER_MS;
  if (typeof timestamp !== "string") return undefined;
  const micros = parseTime(timestamp);
  if (micros === undefined || ignoreSentAt || request.historical || request.sentAt === null) return micros;
  const skew = request.sentAt - request.received;
  return skew > LEAST_SKEW_US || skew < -LEAST_SKEW_US ? micros - skew : micros;
};

const bounded = (micros: bigint, received: bigint): bigint => {
  if (micros - received > MOST_AHEAD_US) return received;
  return micros < YEAR_0_US || micros >= YEAR_10000_US ? 0n : micros;
};

/**
 * Reads the forms in which clients write times: ISO 8601 and RFC 3339 (with a `T` or a space, any fraction, `Z`, `+hh:mm`,
 * `+hhmm`, `+hh` or nothing, which means UTC; years of more than four digits with a sign), dates alone, dates with slashes
 * (year or month first), RFC 2822 with the zones that it names, and digits (seconds or milliseconds since 1970). Undefined for
 * anything else.
 * Microseconds since 1970; further digits of a fraction are cut off.
 */
export const parseTime = (text: string): bigint | undefined => parseUsual(text) ?? parseAny(text.trim());

const ZERO = 48;
const [HYPHEN, COLON, DOT, PLUS, T, Z] = [45, 58, 46, 43, 84, 90];

/** Timestamps as SDKs send them, digit by digit: `2026-01-12T09:14:03`, then `.512` to `.512345` or nothing, then `Z` or `+00:00`. */
export const parseUsual = (text: string): bigint | undefined => {
  const length = text.length;
  if (length < 20 || text.charCodeAt(10) !== T || text.charCodeAt(4) !== HYPHEN || text.charCodeAt(7) !== HYPHEN) return undefined;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined;
  let micros = 0;
  let at = 19;
  if (text.charCodeAt(19) === DOT) {
    let unit = 100_000;
    for (at = 20; unit >= 1; at++, unit /= 10) {
      const digit = text.charCodeAt(at) - ZERO;
      if (!(digit >= 0 && digit <= 9)) break;
      micros += digit * unit;
    }
    if (at === 20) return undefined;
  }
  if (text.charCodeAt(at) === Z ? length !== at + 1 : text.charCodeAt(at) !== PLUS || text.slice(at) !== "+00:00") return undefined;
  const ms = epochMs(
    twoDigits(text, 0) * 100 + twoDigits(text, 2),
    twoDigits(text, 5),
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
  );
  return ms === undefined ? undefined : BigInt(ms) * 1000n + BigInt(micros);
};

const twoDigits = (text: string, at: number): number => {
  const tens = text.charCodeAt(at) - ZERO;
  const ones = text.charCodeAt(at + 1) - ZERO;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN;
};

/** Milliseconds since 1970 of a date of the Gregorian calendar in UTC; undefined where there is none. A 60th second is let through. */
const epochMs = (year: number, month: number, day: number, hour: number, minute: number, second: number): number | undefined => {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysOfMonth(year, month))) return undefined;
  if (!(hour <= 23 && minute <= 59 && second <= 60 && Math.abs(year) <= MOST_YEAR)) return undefined;
  return daysSince1970(year, month, day) * DAY_MS + hour * 3_600_000 + minute * 60_000 + second * 1_000;
};

/** Beyond this the arithmetic would not be exact; such times are out of range anyway. */
const MOST_YEAR = 250_000;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
export const daysOfMonth = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;

/** Counts in years that begin in March, so that the leap day is a year's last. */
const daysSince1970 = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468;
};

const ZONE = String.raw`(?:\s*(z|utc|gmt|[+-]\d{2}(?::?\d{2})?))?`;
/** Hours east of Greenwich of the zones that RFC 2822 names, besides Greenwich's own. */
const NAMED_ZONES: ReadonlyMap<string, number> = new Map([
  ["est", -5],
  ["edt", -4],
  ["cst", -6],
  ["cdt", -5],
  ["mst", -7],
  ["mdt", -6],
  ["pst", -8],
  ["pdt", -7],
]);
const MAIL_ZONE = String.raw`(?:\s*(z|utc?|gmt|${[...NAMED_ZONES.keys()].join("|")}|[+-]\d{2}(?::?\d{2})?))?`;
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?`;
const ISO = new RegExp(String.raw`^([+-]\d{4,6}|\d{4})-(\d{2})-(\d{2})(?:[t\s]\s*${CLOCK}${ZONE})?$`, "i");
const YEAR_SLASHES = new RegExp(String.raw`^(\d{4})/(\d{1,2})/(\d{1,2})(?:[t\s]\s*${CLOCK}${ZONE})?$`, "i");
const MONTH_SLASHES = new RegExp(String.raw`^(\d{1,2})/(\d{1,2})/(\d{4})(?:[t\s]\s*${CLOCK}${ZONE})?$`, "i");
const RFC_2822 = new RegExp(
  String.raw`^(?:[a-z]{3},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})\s+${CLOCK}(?:\s*\([^)]*\)|${MAIL_ZONE}(?:\s*\([^)]*\))?)$`,
  "i",
);
const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/** Longer texts are no times, whatever a pattern would make of them. */
const MOST_CHARACTERS = 80;

const parseAny = (text: string): bigint | undefined => {
  if (text.length > MOST_CHARACTERS) return undefined;
  if (/^-?\d+$/.test(text)) return parseDigits(text);
  const iso = ISO.exec(text) ?? YEAR_SLASHES.exec(text);
  if (iso) return assemble(iso[1], iso[2], iso[3], iso.slice(4));
  const american = MONTH_SLASHES.exec(text);
  if (american) return assemble(american[3], american[1], american[2], american.slice(4));
  const mail = RFC_2822.exec(text);
  if (!mail) return undefined;
  const month = MONTHS.indexOf((mail[2] ?? "").toLowerCase()) + 1;
  return assemble(mail[3], String(month), mail[1], mail.slice(4));
};

/** Digits are seconds up to eleven of them (year 5138) and milliseconds from twelve on (1973). */
const parseDigits = (text: string): bigint | undefined => {
  const digits = text.replace("-", "").length;
  if (digits < 9 || digits > 14) return undefined;
  return BigInt(text) * (digits <= 11 ? 1_000_000n : 1_000n);
};

const assemble = (
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour = "0", minute = "0", second = "0", fraction = "", zone = ""]: readonly (string | undefined)[],
): bigint | undefined => {
  const ms = epochMs(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  const shift = zoneMinutes(zone);
  if (ms === undefined || shift === undefined) return undefined;
  return BigInt(ms - shift * 60_000) * 1000n + BigInt(fraction.padEnd(6, "0").slice(0, 6));
};

/** Minutes east of Greenwich. */
const zoneMinutes = (zone: string): number | undefined => {
  const named = NAMED_ZONES.get(zone.toLowerCase());
  if (named !== undefined) return named * 60;
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone);
  if (!match) return 0;
  const [, sign, hours, minutes = "0"] = match;
  const total = Number(hours) * 60 + Number(minutes);
  if (total >= 24 * 60 || Number(minutes) > 59) return undefined;
  return sign === "-" ? -total : total;
};
