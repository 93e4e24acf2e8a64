import type { ATenant } from "../support/processes/platform.ts";
import type { Recorder } from "./recorder.ts";

/** What the calls of an area need to know of the platform that they are made to. */
export interface Surroundings {
  readonly tenant: ATenant;
  /** Calls a host of the same platform whose invoices are paid through Stripe. */
  readonly payments: Recorder;
  /** Ids of what accounts have values of. */
  readonly definitions: { readonly relationship: string; readonly property: string };
}

/** The calls of one part of the API, in a fixed order: each records an example. */
export type Area = (recorder: Recorder, surroundings: Surroundings) => Promise<void>;
