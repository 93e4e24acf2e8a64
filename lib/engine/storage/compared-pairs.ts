import type { FileFacts } from "../../lake/catalogue.ts";
import { fileVersion } from "../../lake/skipped-rows.ts";
import { contains, containsAll, difference, NO_NUMBERS, type NumberSet, numberSet, sameNumbers, size, union } from "./number-set.ts";

/** Which rows of waiting segments are duplicates: positions by segment key, ascending; segments without any are left out. */
export type DuplicateRows = ReadonlyMap<string, readonly number[]>;

/** A file as a comparison sees it: of two copies in waiting segments one stays, of one that a file has too none. */
export interface Candidate {
  readonly file: FileFacts;
  readonly waiting: boolean;
}

/** Two lists of files: each of the first, all of them waiting, is to be compared with each of the second. */
export interface Comparison {
  readonly segments: readonly FileFacts[];
  readonly others: readonly Candidate[];
}

/** Rows of a waiting segment that do not count beside another file: positions in any order, none twice. */
export interface SharedRows {
  readonly segment: string;
  readonly other: string;
  /** Whether the other one is a waiting segment, too. */
  readonly waiting: boolean;
  readonly rows: readonly number[];
}

/** Pairs of which nothing is known yet. Once compared, what was found is to be given to `found`, whatever it is. */
export interface UnknownPairs extends Comparison {
  found(shared: readonly SharedRows[]): void;
}

/** The known facts about the pairs among some segments and files. */
export interface PairFacts {
  /**
   * Pairs to compare next, until there are none. `alike` takes the segments that lack the same; `all` takes every one that lacks
   * something with whatever any of them lacks, so that there is nothing left afterwards.
   */
  unknown(which: "alike" | "all"): UnknownPairs | undefined;
  /** The duplicates, of all pairs that were compared. */
  duplicates(): DuplicateRows;
}

/**
 * What was found out about pairs of files of one project. A pair is known when its two files were compared, or when what the
 * catalogue says of them excludes a common row; nothing else makes it known. All of it concerns immutable files, so it stays true; a file
 * of which other rows are skipped is another one here.
 */
export interface ComparedPairs {
  of(segments: readonly FileFacts[], files: readonly FileFacts[]): PairFacts;
  /** Segments and files that were asked for at any time. */
  readonly size: number;
  /** About how much memory this takes. */
  bytes(): number;
}

/** The rows that a segment is known to share. */
interface Comparisons {
  readonly number: number;
  /** Numbers of the files and segments with which this one makes a known pair; each segment makes one with itself. */
  pairs: NumberSet;
  /** Rows that do not count, by the number of the file that makes them duplicates. */
  readonly rows: Map<number, readonly number[]>;
}

interface NumberedCandidate extends Candidate {
  readonly number: number;
}

/** The numbers of files and what was compared are known to this closure alone: steps of a few lines each. */
export const openComparedPairs = (): ComparedPairs => {
  // Numbers are never given again. A file that is asked for as a segment and as a file has two. By version.
  const segments = new Map<string, Comparisons>();
  const files = new Map<string, number>();
  let next = 0;

  const fileComparisons = (file: FileFacts): Comparisons => {
    const version = fileVersion(file);
    const known = segments.get(version) ?? { number: next++, pairs: NO_NUMBERS, rows: new Map() };
    segments.set(version, known);
    return known;
  };
  const fileNumber = (file: FileFacts): number => {
    const version = fileVersion(file);
    const number = files.get(version) ?? next++;
    files.set(version, number);
    return number;
  };

  const record = (
    group: readonly SegmentWithNumbers[],
    lacking: NumberSet,
    others: readonly NumberedCandidate[],
    shared: readonly SharedRows[],
  ): void => {
    const own = numberSet(group.map(({ known }) => known.number));
    for (const { known } of group) known.pairs = union(known.pairs, lacking);
    // What was found names keys; of each key one version was compared.
    const waitingSegments = new Map(group.map(({ file, known }) => [file.key, known]));
    const gathered = new Map<string, number>();
    for (const { file, waiting, number } of others) {
      const other = waiting ? segments.get(fileVersion(file)) : undefined;
      if (other) {
        other.pairs = union(other.pairs, own);
        waitingSegments.set(file.key, other);
      } else gathered.set(file.key, number);
    }
    for (const { segment, other, waiting, rows } of shared) {
      const number = waiting ? waitingSegments.get(other)?.number : gathered.get(other);
      if (number !== undefined) waitingSegments.get(segment)?.rows.set(number, rows);
    }
  };

  return {
    get size() {
      return next;
    },
    bytes() {
      let sum = next * BYTES_PER_KEY;
      for (const { pairs, rows } of segments.values()) {
        sum += pairs.byteLength;
        for (const list of rows.values()) sum += BYTES_PER_PAIR + list.length * BYTES_PER_ROW;
      }
      return sum;
    },
    of(askedSegments, askedFiles) {
      const asked = askedSegments.map((file): SegmentWithNumbers => ({ file, known: fileComparisons(file) }));
      const all: readonly NumberedCandidate[] = [
        ...asked.map(({ file, known }) => ({ file, number: known.number, waiting: true })),
        ...askedFiles.map((file) => ({ file, number: fileNumber(file), waiting: false })),
      ];
      const numbers = numberSet(all.map(({ number }) => number));
      return {
        unknown(which) {
          const behind = asked.filter(({ known }) => !containsAll(known.pairs, numbers));
          if (behind.length === 0) return undefined;
          const { group, lacking } = which === "all" ? together(behind, numbers) : alike(behind, numbers);
          const others = all.filter(({ number }) => contains(lacking, number));
          return { ...thatMayShare(group, others), found: (shared) => record(group, lacking, others, shared) };
        },
        duplicates: () => duplicateRows(asked, numbers),
      };
    },
  };
};

/** A key with its entry, and what a list of rows takes beside them. */
const BYTES_PER_KEY = 200;
const BYTES_PER_PAIR = 80;
const BYTES_PER_ROW = 8;

interface SegmentWithNumbers {
  readonly file: FileFacts;
  readonly known: Comparisons;
}

/** Segments and the numbers that they are to be compared with. */
interface Group {
  readonly group: readonly SegmentWithNumbers[];
  readonly lacking: NumberSet;
}

/** Of the segments that lack the same, those that lack the most: what is new comes first, and with it what others lack of it. */
const alike = (behind: readonly SegmentWithNumbers[], numbers: NumberSet): Group => {
  const lacks = behind.map((one) => ({ one, lacking: difference(numbers, one.known.pairs) }));
  let lacking = NO_NUMBERS;
  for (const one of lacks) if (size(one.lacking) > size(lacking)) lacking = one.lacking;
  return { group: lacks.filter((one) => sameNumbers(one.lacking, lacking)).map(({ one }) => one), lacking };
};

const together = (behind: readonly SegmentWithNumbers[], numbers: NumberSet): Group => {
  let lacking = NO_NUMBERS;
  for (const { known } of behind) lacking = union(lacking, difference(numbers, known.pairs));
  return { group: behind, lacking };
};

/** Without those that can share a row with none of the other side. */
const thatMayShare = (group: readonly SegmentWithNumbers[], others: readonly NumberedCandidate[]): Comparison => {
  const named = group.map(({ file }) => ({ file, names: file.events && new Set(file.events) }));
  const left = others.filter((other) => named.some((one) => one.file.key !== other.file.key && mayShare(one, other.file)));
  const segments = named.filter((one) => left.some((other) => one.file.key !== other.file.key && mayShare(one, other.file)));
  return { segments: segments.map(({ file }) => file), others: left.map(({ file, waiting }) => ({ file, waiting })) };
};

/** Whether two files can hold rows of one identity, which names the UTC day, the event and the distinct_id. */
const mayShare = (a: { readonly file: FileFacts; readonly names: ReadonlySet<string> | null }, b: FileFacts): boolean => {
  if (a.file.days[0] > b.days[1] || b.days[0] > a.file.days[1]) return false;
  if (a.file.ids[0] > b.ids[1] || b.ids[0] > a.file.ids[1]) return false;
  const { names } = a;
  return names === null || b.events === null || b.events.some((name) => names.has(name));
};

const duplicateRows = (asked: readonly SegmentWithNumbers[], numbers: NumberSet): DuplicateRows => {
  const duplicates = new Map<string, readonly number[]>();
  for (const { file, known } of asked) {
    const rows = new Set<number>();
    for (const [number, shared] of known.rows) if (contains(numbers, number)) for (const row of shared) rows.add(row);
    if (rows.size > 0)
      duplicates.set(
        file.key,
        [...rows].sort((a, b) => a - b),
      );
  }
  return duplicates;
};
