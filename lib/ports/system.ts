/** The only source of time. Event data never reads it after capture: the receive time travels in the message. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

/** Milliseconds that are left for a batch; asked for again and again, so that work ends before the platform ends it. */
export interface Budget {
  remainingMs(): number;
}

/** The public directory of names. */
export interface Dns {
  /** The texts under a name, each in one piece; none where there is no such name, or nobody who answers. */
  texts(name: string): Promise<readonly string[]>;
}

/** The only source of randomness in identifiers. */
export interface Ids {
  /** A random UUID (version 7: time bits first, so that newer ids sort later). */
  uuid(): string;
  /** A ULID: 26 characters, sorted by time, ascending within one process. */
  ulid(): string;
  /** `bytes` random bytes for keys and tokens. */
  secret(bytes: number): Uint8Array;
}

/**
 * One JSON line per request, batch or job. Never a token, a body or an e-mail address. What is as common as events and went well is
 * `debug`, which a stage keeps only where its settings say so.
 */
export interface Log {
  line(
    level: "debug" | "info" | "warn" | "error",
    event: string,
    fields: Readonly<Record<string, string | number | boolean | null | undefined>>,
  ): void;
}
