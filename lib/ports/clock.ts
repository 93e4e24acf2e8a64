/** The only source of time. Event data never reads it after capture: the receive time travels in the message. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}
