import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../core/time.ts";
import { type Config, FILE_ROWS } from "../ports/config.ts";

/** The sizes of one fold of persons and groups, which bound its memory; the rest waits for the next one. */
export interface FoldSizes {
  /** Entries of deltas. */
  readonly entries: number;
  /** Bytes of deltas as stored, packed. */
  readonly bytes: number;
  /** With more layers than this they become one. */
  readonly layers: number;
  /** Rows of one file: bounds what reading and writing hold in memory. */
  readonly fileRows: number;
}

/** When compaction does what, and how long what it replaced stays. */
export interface Policy {
  /** Live rows of a partition are gathered when so many commits wait, */
  readonly gatherCommits: number;
  /** or so many rows wait so long, */
  readonly gatherRows: number;
  readonly gatherRowsAgeMs: number;
  /** or anything waits so long. */
  readonly gatherAgeMs: number;
  /** Historical rows are gathered when no new ones came for so long, or so many wait, or any waits so long. */
  readonly historyQuietMs: number;
  readonly historyRows: number;
  readonly historyAgeMs: number;
  /** So many loose files of one size class (a factor of `tierSpread`) become one. */
  readonly tierFiles: number;
  readonly tierSpread: number;
  /** Loose rows are folded into the files they touch from this share of their rows and of their bytes on, */
  readonly rewriteShare: number;
  /** and, while the partition's time lasts, from so many rows on: less is read as quickly loose. */
  readonly rewriteMinRows: number;
  /** A partition is sealed so long after its end. */
  readonly sealAfterMs: number;
  /** Compacted files hold about so many rows; sealing puts smaller ones together. */
  readonly fileRows: number;
  /** Bytes of a file's rows as they are sorted, at most; only a single row may be larger. Bounds the memory of a merge. */
  readonly fileBytes: number;
  /** Bytes of rows, counted likewise, that one step reads at most; only a single file may be larger. Bounds its disk and time. */
  readonly stepBytes: number;
  /** Footers that a manifest holds itself, in bytes: it is read and written whole, so more of them are moved beside the files. */
  readonly footersInside: number;
  /** Facts of files that a manifest holds itself, in bytes of JSON: it is written whole by each swap, so more of them are moved into leaves, */
  readonly factsInside: number;
  /** each of which has about so many bytes. */
  readonly leafBytes: number;
  /** Workers among whom the merges of one partition are shared, at most. */
  readonly shares: number;
  /** A job begins no further step after so long: what is left is asked for anew. */
  readonly stepsWithinMs: number;
  readonly fold: FoldSizes;
  /** How long an absorbed commit stays for readers with an older head. */
  readonly commitStayMs: number;
  /** How long what a swap replaced still exists, */
  readonly retiredStayMs: number;
  /** and how long while it may hold rows that were removed. */
  readonly removedStayMs: number;
  /**
   * A swap that comes later than this after its manifest was put counts as lost: the stay of an absorbed commit is counted from the
   * manifest's own stamps, and such a swap would shorten it.
   */
  readonly swapWithinMs: number;
  /** A job that was sent is not sent again for so long. */
  readonly resendMs: number;
  /** How often `later` is looked at. */
  readonly laterEveryMs: number;
  readonly auditEveryMs: number;
  /** An object that nobody names and that is older than this is garbage. */
  readonly orphanAgeMs: number;
  /** Cached results are kept so long. */
  readonly resultAgeMs: number;
  /**
   * The time that swaps are published with is cut into slots this long: what a slot changed is published once, when it is over. Null
   * where no table is published.
   */
  readonly publishEveryMs: number | null;
  /** How long a published snapshot stays, and with it all that it names. */
  readonly snapshotStayMs: number;
  /** How long after its tombstone a project's data is deleted: readers that began before it have ended. */
  readonly removalDelayMs: number;
}

const deployed: Policy = Object.freeze({
  gatherCommits: 64,
  gatherRows: 1_000,
  gatherRowsAgeMs: MINUTE_MS,
  gatherAgeMs: HOUR_MS,
  historyQuietMs: MINUTE_MS,
  historyRows: 1_000_000,
  historyAgeMs: HOUR_MS,
  tierFiles: 8,
  tierSpread: 8,
  rewriteShare: 0.25,
  rewriteMinRows: 10_000,
  sealAfterMs: 7 * DAY_MS,
  fileRows: FILE_ROWS,
  fileBytes: 192_000_000,
  stepBytes: 1_000_000_000,
  footersInside: 256_000,
  factsInside: 4_000_000,
  leafBytes: 1_000_000,
  shares: 4,
  stepsWithinMs: MINUTE_MS,
  fold: Object.freeze({ entries: 100_000, bytes: 16_000_000, layers: 8, fileRows: 50_000 }),
  commitStayMs: 15 * MINUTE_MS,
  retiredStayMs: DAY_MS,
  removedStayMs: 12 * HOUR_MS,
  swapWithinMs: 5 * MINUTE_MS,
  resendMs: 5 * MINUTE_MS,
  laterEveryMs: 10 * MINUTE_MS,
  auditEveryMs: 7 * DAY_MS,
  orphanAgeMs: 2 * DAY_MS,
  resultAgeMs: 8 * DAY_MS,
  publishEveryMs: null,
  snapshotStayMs: 7 * DAY_MS,
  removalDelayMs: 10 * MINUTE_MS,
});

/**
 * The two settings of `Config.compaction`: the local platform waits seconds where a deployment waits minutes, but not so few that it
 * gathers, on the same two cores, what is only half imported. Its merges sort less at once, since they share one process with all else:
 * sorting takes three times the bytes.
 */
export const POLICIES: Readonly<Record<"deployed" | "local", Policy>> = Object.freeze({
  deployed,
  local: Object.freeze({
    ...deployed,
    fileBytes: 32_000_000,
    gatherRowsAgeMs: 4 * SECOND_MS,
    gatherAgeMs: 4 * SECOND_MS,
    historyQuietMs: 4 * SECOND_MS,
    resendMs: 10 * SECOND_MS,
    laterEveryMs: MINUTE_MS,
    removalDelayMs: MINUTE_MS,
  }),
});

/** How long the slots of publishing are: with the ten minutes in which a sweep looks for them, a table is an hour behind at most. */
const PUBLISH_EVERY_MS: Readonly<Record<Config["compaction"], number>> = { deployed: 45 * MINUTE_MS, local: 10 * SECOND_MS };

/** The policy that a deployment's settings ask for. */
export const policyOf = ({
  compaction,
  publish,
  fileRows = FILE_ROWS,
}: Pick<Config, "compaction" | "publish"> & Partial<Pick<Config, "fileRows">>): Policy => ({
  ...POLICIES[compaction],
  fileRows,
  publishEveryMs: publish === "iceberg" ? PUBLISH_EVERY_MS[compaction] : null,
});
