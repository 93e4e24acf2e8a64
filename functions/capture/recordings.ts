import type { World } from "../../lib/app/world.ts";
import { cache, perOwner } from "../../lib/core/cache.ts";
import { writtenVersion } from "../../lib/core/formats.ts";
import { HOUR_MS } from "../../lib/core/time.ts";
import type { Envelope, RawEvent } from "../../lib/event/envelope.ts";
import { MESSAGE_FORMAT } from "../../lib/event/message.ts";
import { recordingEvent } from "../../lib/event/recordings.ts";
import type { HttpRequest } from "../../lib/http/request.ts";
import { encodeBatch } from "../../lib/intake/messages.ts";
import { type AcceptedRequest, ownerFields, randomId, readRequest } from "./accept.ts";
import { isLimited } from "./quota.ts";
import { send } from "./send.ts";

export interface AcceptedRecording extends AcceptedRequest {
  /** The SDK is told to record nothing for a while. */
  readonly limited: boolean;
}

/** Sessions of one request that are counted at most: an SDK sends one. */
const MAX_SESSIONS = 100;
const MAX_SESSION_CHARACTERS = 200;

/** Sessions that a process has counted a while ago: the many requests of one would only say it again. */
const countedIn = perOwner((_: World) => cache<string, true>({ capacity: 10_000 }));
const COUNTED_MS = HOUR_MS;

/** Takes what a session's recording sends: counts the session, and keeps nothing of what was recorded. Throws `Refused` as events do. */
export const acceptRecording = async (request: HttpRequest, world: World): Promise<AcceptedRecording> => {
  const { now, decoded, envelope, owner } = await readRequest(request, { legacy: true, engage: false, events: "of any size" }, world);
  const project = owner.kind === "project" ? owner.project : null;
  const limited = project !== null && (await isLimited(project, "recordings", world));
  const all = groupBySession(envelope);
  const counted = countedIn(world);
  const fresh = limited || owner.kind === "unknown" ? [] : all.filter(({ id }) => counted.get(`${project} ${id}`, now) === undefined);
  const accepted = {
    ...{ project, events: fresh.length, dropped: all.length - fresh.length, historical: false, decodedBytes: decoded.text.length },
    limited,
  };
  if (fresh.length === 0 || owner.kind === "unknown") return accepted;
  const events = fresh.map(({ id, source }) => recordingEvent(id, source, now));
  const header = {
    v: writtenVersion(MESSAGE_FORMAT),
    ...ownerFields(owner),
    request: randomId(world),
    received: `${now}000`,
    sentAt: null,
  };
  const text = Buffer.from(JSON.stringify(events));
  const raw: readonly RawEvent[] = JSON.parse(text.toString("utf8"));
  const batch = encodeBatch({ ...header, historical: false, engage: false }, { text, gzip: undefined, events: raw }, () =>
    world.ids.ulid(),
  );
  await send(batch, "live", world);
  for (const { id } of fresh) counted.set(`${project} ${id}`, true, now + COUNTED_MS);
  return accepted;
};

interface Session {
  readonly id: string;
  readonly source: "web" | "mobile";
}

const groupBySession = ({ events }: Envelope): readonly Session[] => {
  const found = new Map<string, Session>();
  for (const { properties } of events) {
    const id = properties?.$session_id;
    if (typeof id !== "string" || id === "" || id.length > MAX_SESSION_CHARACTERS) continue;
    found.set(id, { id, source: properties?.$snapshot_source === "mobile" ? "mobile" : "web" });
    if (found.size === MAX_SESSIONS) break;
  }
  return [...found.values()];
};
