import { useRef } from "preact/hooks";
import { readExact } from "../../calls/exact.ts";
import { useCall } from "../../calls/use-call.ts";
import { oneEvent } from "./calls.ts";
import type { Feed, LiveEvent } from "./feed.ts";

/** An event that is open, or what became of the search for it. */
export interface Opened {
  readonly event?: LiveEvent | undefined;
  readonly isMissing?: boolean;
  readonly problem?: Error | undefined;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The event with this id: of those that are here, or asked for by itself. It stays when it leaves the rows. */
export const useOpened = (project_id: number, feed: Feed | undefined, uuid: string | null): Opened | undefined => {
  const last = useRef<LiveEvent>(undefined);
  const here = last.current?.uuid === uuid ? last.current : feed?.events.find((event) => event.uuid === uuid);
  if (here !== undefined) last.current = here;
  const isSought = here === undefined && feed !== undefined && uuid !== null && UUID.test(uuid);
  const sought = useCall(isSought ? oneEvent(project_id, uuid) : undefined, { freshMs: 60_000 });
  if (uuid === null) return undefined;
  if (here !== undefined) return { event: here };
  if (!isSought) return { isMissing: feed !== undefined };
  if (sought.data === undefined) return { problem: sought.problem };
  const row = Object(sought.data.results)[0];
  if (!Array.isArray(row)) return { isMissing: true };
  last.current = eventIn(row);
  return { event: last.current };
};

const eventIn = ([uuid, event, timestamp, created_at, distinct_id, person_id, properties]: readonly unknown[]): LiveEvent => ({
  uuid: String(uuid),
  event: String(event),
  timestamp: String(timestamp),
  created_at: String(created_at),
  distinct_id: String(distinct_id),
  person_id: String(person_id),
  properties: Object(typeof properties === "string" ? readExact(properties) : properties),
});
