import { describe, expect, it } from "vitest";
import { RECORDINGS, recordingEvent } from "./recordings.ts";

/** 2026-01-12T09:00:00Z, as the first 48 bits of an id. */
const BEGAN = Date.UTC(2026, 0, 12, 9);
const HOUR = 3_600_000;
const timed = (at: number): string => {
  const hex = at.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7abc-8def-0123456789ab`;
};
/** Of a version that begins with no time, though it could be read as one. */
const NO_TIME = timed(Date.UTC(2026, 0, 14, 20)).replace("-7", "-4");
const timeOf = (session: string, received: number): unknown => Object(recordingEvent(session, "web", received)).timestamp;

describe("the event that counts a recorded session", () => {
  it("is dated when the session began, which an id of an SDK says, up to the moment at which a piece of it came", () => {
    for (const later of [0, 1, 24 * HOUR]) expect(timeOf(timed(BEGAN), BEGAN + later)).toBe("2026-01-12T09:00:00.000Z");
  });

  it("is dated on the day of its arrival where the id says no time, or one that cannot be", () => {
    const received = Date.UTC(2026, 0, 14, 23, 59);
    for (const session of [
      "some-session",
      timed(received + 1),
      timed(received - 25 * HOUR),
      NO_TIME,
      `f${timed(received - HOUR).slice(1)}`,
    ])
      expect(timeOf(session, received)).toBe("2026-01-14T00:00:00.000Z");
  });

  it("is the same one for each request of a session, and another for every other session", () => {
    expect(RECORDINGS).toEqual(["$$recording", "$$mobile_recording"]);
    expect(Object(recordingEvent("some-session", "web", BEGAN)).properties).toEqual({
      $process_person_profile: false,
      $session_id: "some-session",
    });
    const { uuid, event, distinct_id } = Object(recordingEvent("some-session", "web", BEGAN));
    expect([event, distinct_id, uuid]).toEqual(["$$recording", "some-session", "336664d1-d599-8d0c-a682-cc88b82df70e"]);
    expect(Object(recordingEvent("some-session", "mobile", BEGAN + HOUR))).toMatchObject({ event: "$$mobile_recording", uuid });
    expect(Object(recordingEvent("another", "web", BEGAN)).uuid).not.toBe(uuid);
  });
});
