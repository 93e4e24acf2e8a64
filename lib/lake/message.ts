/** Version of the messages between capture and ingest; ingest accepts this and the one before. */
export const MESSAGE_FORMAT = 1;

/** How the payload of a message is written. `envelope`: the SDK's own bytes, a whole request; `events`: a list cut from a request. */
export type Payload = "envelope" | "events";

/**
 * One message of the live or historical queue: everything that decides the identity of its events was fixed by capture and
 * travels here, so that every delivery gives the same rows.
 */
export interface CaptureMessage {
  readonly v: number;
  readonly project: number;
  /** Organization id, for usage. */
  readonly organization: string;
  /** 32 hex digits: a digest of the bytes as received when the body carries sent_at, else random. */
  readonly request: string;
  /** Receive time, microseconds since 1970, decimal text. */
  readonly received: string;
  /** The request's sent_at, microseconds since 1970, decimal text; null when there was none or it was not readable. */
  readonly sentAt: string | null;
  /** The request's historical_migration flag. */
  readonly historical: boolean;
  readonly payload: Payload;
  /** True for the paths and shapes where a nameless event becomes `$identify` (`/engage`). */
  readonly engage: boolean;
  /** Position in the request of this message's first event. */
  readonly first: number;
  /** Events inside, and bytes of their JSON text when decoded: ingest stops before it is full. */
  readonly events: number;
  readonly decodedBytes: number;
  /** The compressed text itself in base64, or the object that holds the compressed bytes. */
  readonly body:
    | { readonly encoding: "gzip" | "zstd" | "none"; readonly inline: string }
    | { readonly encoding: "gzip" | "zstd" | "none"; readonly key: string };
  /** Positions (in the request) of events that a quota dropped. Absent when none. */
  readonly dropped?: readonly number[];
}
