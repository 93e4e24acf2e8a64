import type { FileFacts } from "../../lib/lake/catalogue.ts";
import type { EventRow } from "../../lib/lake/event.ts";
import { countUsage } from "../../lib/lake/usage-types.ts";
import { identityOf } from "./ports/row-files.ts";

/** What a run must never show. Its message says what was seen. */
export class Violation extends Error {
  override readonly name = "Violation";
}

interface KnownCommit {
  readonly project: number;
  readonly identities: readonly string[];
}

/** What really happened, kept beside the system under test: whom it accepted events from and what it said it committed. */
export class Ledger {
  readonly #accepted = new Map<number, Set<string>>();
  readonly #sent = new Map<number, Set<string>>();
  readonly #commits: KnownCommit[] = [];
  /** Rows of segments, written before a commit that may not have come about. */
  ingestedRows = 0;
  /** Rows that successful compactions wrote, and compactions asked for. */
  compactedRows = 0;
  jobs = 0;
  /** Sweeping processes that were killed. */
  forgotten = 0;

  sending(project: number, rows: readonly EventRow[]): void {
    for (const row of rows) setOf(this.#sent, project).add(identityOf(row));
  }

  accepted(project: number, rows: readonly EventRow[]): void {
    for (const row of rows) setOf(this.#accepted, project).add(identityOf(row));
  }

  committed(project: number, identities: readonly string[]): void {
    this.#commits.push({ project, identities });
  }

  /** How many commits were known when a reader began. */
  mark(): number {
    return this.#commits.length;
  }

  /**
   * Checks one reading: each identity once, none invented, drains whole or not at all, and nothing missing that was committed before
   * and is asked for.
   */
  checkReading(project: number, rows: readonly EventRow[], mark: number, isAskedFor: (identity: string) => boolean = () => true): void {
    const seen = new Set<string>();
    for (const row of rows) {
      const identity = identityOf(row);
      if (seen.has(identity)) throw new Violation(`a reader sees ${identity} twice`);
      seen.add(identity);
      if (!setOf(this.#sent, project).has(identity)) throw new Violation(`a reader sees ${identity}, which nobody sent`);
    }
    this.#commits.slice(0, mark).forEach((commit) => {
      if (commit.project !== project) return;
      const lacking = commit.identities.find((identity) => !seen.has(identity) && isAskedFor(identity));
      if (lacking !== undefined) throw new Violation(`a reader lacks ${lacking}, committed before it began`);
    });
  }

  /** At the end: exactly what was accepted, or sent without an answer and stored all the same. */
  checkFinal(project: number, rows: readonly EventRow[]): void {
    this.checkReading(project, rows, this.#commits.length);
    const seen = new Set(rows.map(identityOf));
    for (const identity of setOf(this.#accepted, project))
      if (!seen.has(identity)) throw new Violation(`${identity} was accepted and is lost`);
  }

  checkUsage(file: FileFacts, rows: readonly EventRow[]): void {
    const [said, counted] = [JSON.stringify(sorted(file.usage)), JSON.stringify(sorted(countUsage(rows)))];
    if (said !== counted) throw new Violation(`${file.key} counts ${said}, its rows are ${counted}`);
  }

  /** Rows written by compaction for each row ingested, and jobs for each commit. */
  checkWork(): void {
    if (this.compactedRows > MAX_AMPLIFICATION * this.ingestedRows)
      throw new Violation(`compaction wrote ${this.compactedRows} rows for ${this.ingestedRows} ingested ones`);
    if (this.jobs > JOBS_BASE + JOBS_PER_ASKING * (this.#commits.length + this.forgotten))
      throw new Violation(`${this.jobs} jobs were done for ${this.#commits.length} commits and ${this.forgotten} killed sweeps`);
  }
}

const MAX_AMPLIFICATION = 15;
/**
 * A commit touches up to 13 partitions (a year's import); each asks for a job and its usage, and a message is delivered up to three
 * times. A sweep that was killed has forgotten what it asked for and asks once more.
 */
const JOBS_PER_ASKING = 13 * 2 * 3;
/** Folds, seals and audits of the calm. */
const JOBS_BASE = 150;

const setOf = (sets: Map<number, Set<string>>, project: number): Set<string> => {
  const found = sets.get(project) ?? new Set<string>();
  sets.set(project, found);
  return found;
};

const sorted = (counts: FileFacts["usage"]): unknown =>
  Object.entries(counts)
    .map(([day, types]): [string, unknown] => [day, Object.entries(types).sort(([a], [b]) => (a < b ? -1 : 1))])
    .sort(([a], [b]) => Number(a) - Number(b));
