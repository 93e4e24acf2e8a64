import { createHash } from "node:crypto";
import { DAY_MS, HOUR_MS } from "../core/time.ts";

/**
 * Names under which a recorded session is counted, by where it was recorded. Such a row says that there was a session, and nothing of
 * what was recorded; queries never show it.
 */
export const RECORDING = "$$recording";
export const MOBILE_RECORDING = "$$mobile_recording";

export const RECORDINGS: readonly string[] = [RECORDING, MOBILE_RECORDING];

/** SDKs end a session after a day at the latest. */
const LONGEST_SESSION_MS = DAY_MS + HOUR_MS;

/**
 * The event that counts a session: the same for each of its many requests, so that it is counted once, on the day when it began. An id of
 * SDKs begins with the time of its session's beginning; of any other id there is one a day, which names the session, so that counting
 * sees whether it went on from the day before.
 */
export const recordingEvent = (session: string, source: "web" | "mobile", received: number): object => {
  const began = sessionStart(session, received);
  return {
    event: source === "mobile" ? MOBILE_RECORDING : RECORDING,
    distinct_id: session,
    uuid: hashedUuid(session),
    timestamp: new Date(began ?? Math.floor(received / DAY_MS) * DAY_MS).toISOString(),
    properties: { $process_person_profile: false, ...(began === undefined && { $session_id: session }) },
  };
};

const TIMED_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const sessionStart = (session: string, received: number): number | undefined => {
  if (!TIMED_ID.test(session)) return undefined;
  const began = Number.parseInt(session.slice(0, 8) + session.slice(9, 13), 16);
  return began <= received && began > received - LONGEST_SESSION_MS ? began : undefined;
};

const hashedUuid = (session: string): string => {
  const digest = createHash("sha256").update(session).digest("hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
};
