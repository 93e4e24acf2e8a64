/** A request freed of any gateway's shape. Only `fromRest` and `fromNode` make one. */
export interface HttpRequest {
  readonly id: string;
  /** Upper case. */
  readonly method: string;
  /** Path as sent, still percent-encoded, without the query. */
  readonly path: string;
  /** Decoded query parameters in order; the last value of a name wins where one is asked for. */
  readonly query: readonly (readonly [string, string])[];
  /** Lower-case names; several values joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Scheme and host as the client used them: `https://host`. */
  readonly origin: string;
  readonly ip: string;
}

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}
