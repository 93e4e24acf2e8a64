import { type Copy, listed, type Request } from "./copies.ts";
import { objectOr, sorted } from "./json.ts";
import { dayOf } from "./times.ts";

/** Under which event a session of the web, and one of a mobile application, is stored. */
export const WEB_SESSION = "$$recording";
export const MOBILE_SESSION = "$$mobile_recording";

/**
 * The recorded sessions that a request to `/s/` tells of, each stored as one event of no person: on the day on which it began, where its id
 * says so, else on each day on which it was heard of, with its id.
 */
export const sessionsOf = ({ project, id, received, body }: Request): readonly Copy[] => {
  const sources = new Map<string, unknown>();
  for (const sent of listed(body)) {
    const { $session_id: session, $snapshot_source: source } = objectOr(sent.properties);
    if (typeof session === "string" && session !== "" && session.length <= MOST_CHARACTERS) sources.set(session, source);
  }
  return [...sources].map(([session, source], index): Copy => {
    const event = source === "mobile" ? MOBILE_SESSION : WEB_SESSION;
    const began = beginningOf(session, received);
    const time = began ?? BigInt(dayOf(received)) * DAY;
    const day = dayOf(time);
    return {
      ...{ project, request: id, index, received, event, distinctId: session, time, day },
      ...{ identity: sorted([project, day, event, session]), uuid: null, uuidMs: null, historical: false, isPersonal: false },
      properties: { $process_person_profile: false, ...(began === null ? { $session_id: session } : {}) },
    };
  });
};

const MOST_CHARACTERS = 200;
const DAY = 86_400_000_000n;
/** SDKs end a session after a day, and an hour is for what comes late. */
const LONGEST = (25n * DAY) / 24n;
const TIMED = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** An SDK's session id begins with the time at which it was made; another says nothing of it. */
const beginningOf = (session: string, received: bigint): bigint | null => {
  const [, high, low] = TIMED.exec(session) ?? [];
  const began = BigInt(`0x${high ?? "0"}${low ?? "0"}`) * 1_000n;
  return began <= received && began > received - LONGEST ? began : null;
};
