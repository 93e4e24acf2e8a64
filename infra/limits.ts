import { UserError } from "./local/user-error.ts";

/** The traffic that a stage lets through, and when it raises an alarm; from the stage's settings. */
export interface TrafficLimits {
  /** Requests of a second to each method of the two hosts. */
  readonly ingestPerSecond: number;
  readonly managementPerSecond: number;
  /** Requests to the ingest host within five minutes above which an alarm goes off; undefined for none. */
  readonly volumeAlarm: number | undefined;
  /** Seconds that live events are gathered before they are stored, at most a minute; undefined for as long as `ingest-live` says. */
  readonly liveWindowSeconds: number | undefined;
  /** US dollars a month at which the alarms' address is told; undefined for none. */
  readonly monthlyBudgetUsd: number | undefined;
}

/** Far above what one region's functions take in a new account, and far below what would be a surprise on a bill. */
const STANDARD = { ingestPerSecond: 2_000, managementPerSecond: 200 };

/** Somebody is told of messages that are some minutes old. */
const LONGEST_WINDOW_SECONDS = 60;

/** The limits of a deployment. Throws a `UserError` for a setting that is no whole number above 0, or is too large. */
export const trafficLimits = (setting: (name: keyof TrafficLimits) => string | undefined): TrafficLimits => {
  const number = (name: keyof TrafficLimits): number | undefined => {
    const text = setting(name);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new UserError(`${name}=${text}: give a whole number above 0.`);
    return Number(text);
  };
  const liveWindowSeconds = number("liveWindowSeconds");
  if ((liveWindowSeconds ?? 0) > LONGEST_WINDOW_SECONDS)
    throw new UserError(`liveWindowSeconds=${liveWindowSeconds}: give ${LONGEST_WINDOW_SECONDS} at most.`);
  return {
    liveWindowSeconds,
    ingestPerSecond: number("ingestPerSecond") ?? STANDARD.ingestPerSecond,
    managementPerSecond: number("managementPerSecond") ?? STANDARD.managementPerSecond,
    volumeAlarm: number("volumeAlarm"),
    monthlyBudgetUsd: number("monthlyBudgetUsd"),
  };
};
