import { type ExactNumber, toDouble } from "../core/exact-json.ts";
import { parseTime } from "./time-formats.ts";

const MICROS_PER_MS = 1_000n;
/** Less than this between sending and receiving is latency; correcting it would move retries to other days. */
const LEAST_SKEW_US = 120_000_000n;
/** An event further ahead than this gets the receive time. */
const MOST_AHEAD_US = 23n * 3_600_000_000n;
/** The first microsecond of year 0 and the first after year 9999. */
const YEAR_0_US = -62_167_219_200_000_000n;
const YEAR_10000_US = 253_402_300_800_000_000n;

/** What a request says about time, fixed by capture; microseconds since 1970. */
export interface RequestTimes {
  readonly received: bigint;
  readonly sentAt: bigint | null;
  /** The request's historical_migration flag. */
  readonly historical: boolean;
}

/** What an event says about time. */
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
