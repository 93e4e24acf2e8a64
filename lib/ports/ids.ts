/** The only source of randomness in identifiers. */
export interface Ids {
  /** A random UUID (version 7: time bits first, so that newer ids sort later). */
  uuid(): string;
  /** A ULID: 26 characters, sorted by time, ascending within one process. */
  ulid(): string;
  /** `bytes` random bytes for keys and tokens. */
  secret(bytes: number): Uint8Array;
}
