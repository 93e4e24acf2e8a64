import type { DayCounts } from "../usage/day-counts.ts";

/** Version of commits, manifests and heads; readers accept this one, the one before and the one after. */
export const CATALOGUE_FORMAT = 4;

/**
 * Version of a manifest of files with skipped rows. A release that knows nothing of these would show the rows, so it has to refuse the
 * manifest: this one is two ahead of its own.
 */
export const SKIPPING_FORMAT = 5;

/** The catalogue's facts about a Parquet file of events, be it a segment, a loose file or a compacted one. */
export interface FileFacts {
  /** Object key. */
  readonly key: string;
  readonly bytes: number;
  readonly rows: number;
  /** Bytes of its rows as they are sorted, or a little more; the version before did not say. */
  readonly plainBytes?: number;
  /** First and last UTC day, days since 1970. */
  readonly days: readonly [number, number];
  /** First and last timestamp, microseconds as decimal text. */
  readonly times: readonly [string, string];
  /** Least and greatest distinct_id by code units, cut to 200 characters as stored. */
  readonly ids: readonly [string, string];
  /** The event names inside, sorted; null when there are more than 64 (then any name may be inside). */
  readonly events: readonly string[] | null;
  readonly usage: DayCounts;
  /**
   * Whether it has the rare columns of LLM generations, and those of exceptions; false where no row has a value for one. Files of event
   * format 1 say nothing of the first, those of format 2 nothing of the second, and have none of these.
   */
  readonly rare?: boolean;
  readonly exceptions?: boolean;
  /** Whether properties may hold a whole number beyond 64 bits, of which not all readers of JSON read anything. The version before did not say. */
  readonly bigIntegers?: boolean;
  /** Whether it has the column of quarters of an hour beside the others. */
  readonly quarterHours?: true;
  /** The columns of earned properties that it has beside the others. Absent where it has none. */
  readonly earned?: readonly string[];
  /** Length of the Parquet footer in bytes (metadata without the 8 trailing bytes). */
  readonly footerBytes: number;
  /** In a manifest the footer itself, in base64, or where it lies beside the files once the manifest has many. */
  readonly footer?: string;
  readonly footerAt?: FooterPlace;
  /** Rows that were removed and that its bytes still hold; `rows` counts them, `usage` does not. Absent where there are none. */
  readonly skip?: SkippedRows;
}

/** Removed rows of a file, few beside those that stay: how many, and their places. */
export interface SkippedRows {
  readonly rows: number;
  /** Runs of neighbours, ascending, as `lib/lake/skipped-rows.ts` writes them. */
  readonly runs: string;
}

/** A footer's place in an object of many. */
export interface FooterPlace {
  readonly key: string;
  readonly from: number;
}

/** A segment: rows of one drain, project and partition, waiting under `commit#`. */
export interface Segment extends FileFacts {
  readonly partition: string;
}

/** A drain's changes to persons and groups: inline when small, else an object, with the number of its entries since format 2. */
export type DeltaRef = { readonly inline: string } | { readonly key: string; readonly bytes: number; readonly entries?: number };

/** The kind of a row of an object of deltas, in its column `kind`. */
export const ENTRY_KINDS = Object.freeze({ seen: 0, person: 1, group: 2 });

/** An object that says what commits did to persons with rows that did not stay; it goes when they are gone. */
export interface CorrectionRef {
  readonly key: string;
  readonly commits: readonly string[];
}

/** One drain's work for one project: a single item, so it is seen whole or not at all. */
export interface Commit {
  readonly v: number;
  readonly id: string;
  /** Milliseconds since 1970: when it was written. */
  readonly at: number;
  readonly lane: "live" | "historical";
  /** When the earliest of its rows was received, milliseconds since 1970; absent in commits of the version before. */
  readonly receivedAt?: number;
  readonly segments: readonly Segment[];
  readonly deltas: DeltaRef | null;
  /** Properties of persons and groups that were left out of the deltas, being more than one event may change. Absent where none was. */
  readonly over?: number;
}

/** Files of some days of a manifest, in an immutable object of their own, which each next manifest names again while they all stand. */
export interface Leaf {
  readonly id: string;
  /** Whether its files are loose: those of a leaf are of one kind. */
  readonly loose: boolean;
  /** First and last UTC day of its files. */
  readonly days: readonly [number, number];
  readonly files: number;
  /** Rows of its files, and bytes of them as they are sorted. */
  readonly rows: number;
  readonly plainBytes: number;
  /** The counts of its files, added up; absent where some are keyed, which may be many. */
  readonly usage?: DayCounts;
  /** Keys of the objects that hold footers of its files. */
  readonly footers: readonly string[];
  /** How many of its rows are skipped. Absent where none is. */
  readonly skipped?: number;
  /** Its files, where it was read; the manifest's object is without. */
  readonly held?: readonly FileFacts[];
}

/** The files of a partition. Immutable; written before the head names it. */
export interface Manifest {
  readonly v: number;
  readonly id: string;
  readonly partition: string;
  /** Compacted files: whole days, free of duplicates among all files and loose files. */
  readonly files: readonly FileFacts[];
  /** Gathered rows not yet folded into the compacted files; free of duplicates too. */
  readonly loose: readonly FileFacts[];
  /** Ids of commits whose segments of this partition are contained in files and loose. */
  readonly absorbed: readonly string[];
  /** When each of them was absorbed, in the order of `absorbed`: a commit is deleted only some time after that. */
  readonly absorbedAt: readonly number[];
  /** Since format 2. */
  readonly corrections?: readonly CorrectionRef[];
  readonly sealed: boolean;
  /** Since format 4: how often rows were removed from its files. Absent where they never were. */
  readonly removed?: number;
  /** Since format 4: its time is over and its rows are gone. What was counted of them stays counted. */
  readonly expired?: true;
  /** Since format 3, once it is large: `files` and `loose` are those of the leaves that were read, and those that it holds itself. */
  readonly leaves?: readonly Leaf[];
}

/** A manifest without its files. */
export type ManifestRoot = Omit<Manifest, "files" | "loose">;

/** Persons, groups and identity map as folded up to now; the manifest under the head's `state` entry. */
export interface StateManifest {
  readonly v: number;
  readonly id: string;
  /** Snapshot files, each a Parquet object; empty lists before the first fold. */
  readonly persons: readonly StateFile[];
  readonly distinctIds: readonly StateFile[];
  readonly groups: readonly StateFile[];
  /** Gathered deltas that a replay of a component needs, oldest first. */
  readonly history: readonly StateFile[];
  readonly absorbed: readonly string[];
  readonly absorbedAt: readonly number[];
  /**
   * Properties of persons and groups that all folds so far dropped, because they were more than one may have or one event may change.
   * Absent where none was.
   */
  readonly dropped?: number;
}

export interface StateFile {
  readonly key: string;
  readonly bytes: number;
  readonly rows: number;
  /** 0 or absent: the snapshot itself. Rows of a higher layer replace those of the same key below it, or say that they are gone. */
  readonly layer?: number;
  /** Version of the file; absent in those of the first. */
  readonly v?: number;
  /** Least and greatest key inside, by code units; sorted in between. */
  readonly keys?: readonly [string, string];
  /** The columns of earned properties that it has beside the others. Absent where it has none. */
  readonly earned?: readonly string[];
  /** As of files of events; absent in files without properties, too. */
  readonly bigIntegers?: boolean;
}

/** The objects that a swap replaced, and when (milliseconds since 1970): deleted 24 hours later. */
export interface Retirement {
  readonly v: number;
  readonly id: string;
  readonly at: number;
  readonly keys: readonly string[];
}

/** One state of a project's catalogue, as a reader pinned it: nothing in it changes while it is used. */
export interface PinnedState {
  readonly project: number;
  /** By partition; only those in the asked range were read, and of their leaves only those with days in it. */
  readonly manifests: ReadonlyMap<string, Manifest>;
  /** Commits with at least one segment in the asked range that its partition's manifest has not absorbed, oldest id first; cut to those segments. */
  readonly waiting: readonly Commit[];
  readonly state: StateManifest | null;
  /** Commits whose deltas the state has not absorbed, oldest id first. */
  readonly waitingDeltas: readonly Commit[];
  /** The rows of waiting commits that nobody may see; absent where there are none. */
  readonly removals?: Removals;
  /** A digest of all that was read: equal digests mean equal inputs. */
  readonly digest: string;
}

/** What was removed from a project for as long as copies of it may come. Immutable; written before the head names it. */
export interface Removals {
  readonly v: number;
  readonly id: string;
  /** Milliseconds since 1970: when the last of them was begun. */
  readonly at: number;
  /** Random, so that who has the digests cannot try ids against those of other projects. Hexadecimal. */
  readonly salt: string;
  /** Salted digests of erased ids. */
  readonly erased: readonly string[];
  /** Ids of undone imports, and until when copies of them may come. */
  readonly imports: readonly { readonly id: string; readonly until: number }[];
  /** Partitions that ended before this month are gone; null where none is. */
  readonly before: string | null;
  /** Removals that are not carried out yet. */
  readonly open: readonly OpenRemoval[];
}

/** A removal on its way, as it was asked for. */
export interface OpenRemoval {
  readonly removal: Removal;
  /** When it was asked for, milliseconds since 1970. */
  readonly at: number;
  /** The object that names the persons and groups of which removed rows said something, once that is known. */
  readonly touched?: string;
}

/** Rows to be removed: all of some ids, an import as a whole, or everything before a month (`2026-03`). */
export type Removal =
  /** `late`: what comes for them once the removal is carried out is kept, as somebody new; without it nothing is, for ever. */
  | { readonly kind: "ids"; readonly distinctIds: readonly string[]; readonly late?: "kept" }
  | { readonly kind: "import"; readonly import: string }
  | { readonly kind: "before"; readonly month: string };

/** Bounds of distinct_id in a file's facts are cut to this many characters. */
export const MAX_BOUND_LENGTH = 200;

/** More event names than this and a file's facts say "any". */
export const MAX_EVENT_NAMES = 64;

/** Bytes of a row besides its texts while rows are sorted. */
export const ROW_BYTES = 300;

/** Where a file does not say, its rows take this many times what they take compressed. */
const USUAL_COMPRESSION = 8;

/** Bytes of a file's rows as they are sorted. */
export const sortedBytes = ({ plainBytes, bytes, rows }: Pick<FileFacts, "plainBytes" | "bytes" | "rows">): number =>
  plainBytes ?? USUAL_COMPRESSION * bytes + ROW_BYTES * rows;

/** The same of several files. */
export const totalBytes = (files: readonly FileFacts[]): number => files.reduce((sum, file) => sum + sortedBytes(file), 0);

export const totalRows = (files: readonly FileFacts[]): number => files.reduce((sum, { rows }) => sum + rows, 0);

/** The head's entry for persons, groups and the identity map; all others are partitions. */
export const STATE_ENTRY = "state";
