import type { Endpoint, Place } from "./calls.ts";

/** What every part of an endpoint's view is given. */
export interface TabProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
}
