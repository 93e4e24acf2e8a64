/** Group slots of a project: `$group_0` to `$group_4`. */
export const GROUP_SLOTS = 5;

export type PersonMode = "full" | "propertyless" | "force_upgrade";

/** One event as the lake stores it. Microseconds since 1970 are bigints: year 9999 does not fit a double. */
export interface EventRow {
  readonly uuid: string;
  readonly event: string;
  readonly distinct_id: string;
  /** A hash of project and distinct_id in UUID form; merges are resolved when reading. */
  readonly person_id: string;
  /** Microseconds since 1970, UTC, signed. */
  readonly timestamp: bigint;
  /** The receive time, microseconds. */
  readonly created_at: bigint;
  /** 8-byte hash of (UTC day, event, distinct_id, uuid), as a signed 64-bit integer. */
  readonly identity: bigint;
  readonly person_mode: PersonMode;
  readonly historical: boolean;
  readonly session_id: string | null;
  readonly window_id: string | null;
  readonly groups: readonly (string | null)[];
  readonly elements_chain: string;
  /** The full properties as JSON text. */
  readonly properties: string;
  /** One value per entry of `HOT`, in its order. */
  readonly hot: readonly (string | number | null)[];
  /** Of two waiting copies of one identity, the least (created_at, request, index) stays. */
  readonly request: string;
  readonly index: number;
}

/**
 * Bumped when the columns or their meaning change; readers accept this and the one before. Files of format 1 have no rare columns,
 * whatever their rows hold.
 */
export const EVENT_FORMAT = 2;
