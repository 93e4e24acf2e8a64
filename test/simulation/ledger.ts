import type { EventRow } from "../../lib/event/event.ts";
import { type Copy, copiesOf, isLess, type Request } from "../model/copies.ts";
import { storedProperties } from "../model/groups.ts";
import { readJson, sorted } from "../model/json.ts";
import { isRemovedBy, type Removed } from "../model/removals.ts";

/** What a run must never show. Its message says what was seen. */
export class Violation extends Error {
  override readonly name = "Violation";
}

/** A row that a reader was shown, and whether it stood in a file of a manifest or waited. */
export interface Shown {
  readonly row: EventRow;
  readonly isWaiting: boolean;
}

/** What a reader may take as known: everything that had happened when it began. */
export interface Mark {
  readonly commits: number;
  readonly readings: number;
  readonly removed: number;
}

interface Committed {
  readonly project: number;
  readonly copies: readonly Copy[];
}

/** What really happened, kept beside the system under test: what clients sent, as the model reads it, and what was committed of it. */
export class Ledger {
  readonly #sent = new Map<string, Copy>();
  readonly #accepted = new Set<Copy>();
  readonly #attempts = new Map<string, readonly Copy[]>();
  readonly #commits: Committed[] = [];
  readonly #deleted = new Set<string>();
  /** What was seen within a port first. */
  #violation: Violation | null = null;
  /** By commit, what has to absorb it. */
  readonly #entries = new Map<string, readonly string[]>();
  /** By commit and entry, the time of the swap after which the head named a manifest that lists it, and what that says of when. */
  readonly #absorbed = new Map<string, { readonly at: number; readonly stamp: number | undefined }>();
  readonly #uuids = new Map<string, string>();
  /** The copy of an identity that a manifest was seen to name, and after how many readings. */
  readonly #gathered = new Map<string, { readonly copy: Copy; readonly reading: number }>();
  #readings = 0;
  /** Removals that somebody asked for, and those that were said to be done. */
  readonly #removing: Removed[] = [];
  readonly #removed: Removed[] = [];
  /** By copy, how many removals were done when it was sent first. */
  readonly #sentAfter = new Map<Copy, number>();
  /** Files that a manifest named, the copy of each identity that one did, and how many commits there were when each actor's job began. */
  readonly #files = new Set<string>();
  readonly #named = new Map<string, Copy>();
  readonly #jobsBegan = new Map<string, number>();
  /** Rows of segments, written before a commit that may not have come about. */
  ingestedRows = 0;
  /** Rows that successful compactions wrote, and jobs done. */
  compactedRows = 0;
  jobs = 0;
  /** Sweeping processes that were killed. */
  forgotten = 0;
  /** Among how many each compaction is shared. */
  workers = 1;
  /** Whole hours of bad weather. */
  hours = 0;

  sending(request: Request): readonly Copy[] {
    const copies = copiesOf(request);
    for (const copy of copies) {
      this.#sent.set(nameOf(copy.request, copy.received, copy.index), copy);
      this.#sentAfter.set(copy, this.#removed.length);
    }
    return copies;
  }

  /** From now on what a removal means may be gone, */
  removing(what: Removed): void {
    this.#removing.push(what);
  }

  /** and from now on it has to be. */
  removed(what: Removed): void {
    this.#removed.push(what);
  }

  /** Whether anything of a project was removed, or may be. */
  hasRemovals(project: number): boolean {
    return this.#removing.some((removed) => removed.project === project);
  }

  wasRemoved(row: EventRow): boolean {
    return this.#removed.some(isRemovedBy(this.copyOf(row)));
  }

  #mayBeGone(copy: Copy): boolean {
    return this.#removing.some(isRemovedBy(copy));
  }

  /**
   * Whether no row of an event need be there though this copy of it came: it was removed, or may have been dropped beside one that was. A copy
   * that was sent when that was done is none of these.
   */
  #needNotStay(copy: Copy): boolean {
    if (this.#mayBeGone(copy)) return true;
    const others = this.copiesOf(copy.identity).filter((other) => this.#mayBeGone(other));
    const isLater = others.every((other) => this.#removed.slice(0, this.#sentAfter.get(copy)).some(isRemovedBy(other)));
    return others.length > 0 && !isLater;
  }

  accepted(copies: readonly Copy[]): void {
    for (const copy of copies) this.#accepted.add(copy);
  }

  /** Everything that was sent to a project, answered or not. */
  sentTo(project: number): readonly Copy[] {
    return [...this.#sent.values()].filter((copy) => copy.project === project);
  }

  /** Everything that was sent of one identity. */
  copiesOf(identity: string): readonly Copy[] {
    return [...this.#sent.values()].filter((copy) => copy.identity === identity);
  }

  /** A commit that may or may not come about. */
  committing(id: string, rows: readonly EventRow[], entries: readonly string[]): readonly Copy[] {
    this.#entries.set(id, entries);
    const copies = rows.map((row) => this.copyOf(row));
    this.#attempts.set(id, copies);
    return copies;
  }

  committed(project: number, copies: readonly Copy[]): void {
    this.#commits.push({ project, copies });
  }

  /** A manifest that a head names. What it says of when a commit was absorbed is never changed by a later one. */
  absorbed(entry: string, manifest: { readonly absorbed?: readonly string[]; readonly absorbedAt?: readonly number[] }, at: number): void {
    for (const [place, commit] of (manifest.absorbed ?? []).entries()) {
      const name = `${commit} ${entry}`;
      const stamp = manifest.absorbedAt?.[place];
      const known = this.#absorbed.get(name);
      // A put that is repeated very late brings back what was deleted: it is merged anew, and nothing of it is new.
      const isBack = known !== undefined && known.stamp !== stamp && this.#deleted.has(commit);
      if (known === undefined || isBack) this.#absorbed.set(name, { at, stamp });
      else if (known.stamp !== stamp) this.#note(`${entry} absorbed ${commit} at ${known.stamp}, and then says at ${stamp}`);
    }
  }

  /** From now on an actor works on a job. */
  jobBegins(actor: string): void {
    this.#jobsBegan.set(actor, this.#commits.length);
  }

  /**
   * A file that a manifest names, by an actor's job. Which copy of an event one names is decided once, and it is the least of those that
   * waited when the job began.
   */
  named(file: string, actor: string, rows: () => readonly EventRow[]): void {
    if (this.#files.has(file)) return;
    this.#files.add(file);
    for (const copy of rows().map((row) => this.copyOf(row))) {
      if (this.#removed.some(isRemovedBy(copy))) this.#note(`${file} has ${copy.identity}, which was removed`);
      const named = this.#named.get(copy.identity);
      const known = named !== undefined && this.#mayBeGone(named) ? undefined : named;
      if (known !== undefined && known !== copy) this.#note(`${file} has another copy of ${copy.identity} than the manifest before`);
      if (known !== undefined) continue;
      this.#named.set(copy.identity, copy);
      const waited = this.#commits.slice(0, this.#jobsBegan.get(actor)).flatMap(({ copies }) => copies);
      if (waited.some((other) => other.identity === copy.identity && isLess(other, copy) && !this.#needNotStay(other)))
        this.#note(`${file} has a copy of ${copy.identity} that is not the least of those that waited`);
    }
  }

  /** A commit is deleted only when no reader can be left that has a head from before it was absorbed. */
  deleting(commit: string, now: number): void {
    this.#deleted.add(commit);
    for (const entry of this.#entries.get(commit) ?? []) {
      const absorbed = this.#absorbed.get(`${commit} ${entry}`);
      if (absorbed && now - absorbed.at < READING_MS) this.#note(`${commit} is deleted ${now - absorbed.at} ms after ${entry} absorbed it`);
    }
  }

  /** Whoever calls a port may take what it throws for the weather, so this is thrown when the run is checked. */
  #note(what: string): void {
    this.#violation ??= new Violation(what);
  }

  /** The rows of the given commits and of all that are deleted by now. */
  contained(project: number, commits: Iterable<string>): readonly Copy[] {
    const ids = new Set([...commits, ...this.#deleted]);
    return [...ids].flatMap((id) => this.#attempts.get(id) ?? []).filter((copy) => copy.project === project);
  }

  mark(): Mark {
    return { commits: this.#commits.length, readings: this.#readings, removed: this.#removed.length };
  }

  /** The copy that a row is. */
  copyOf(row: EventRow): Copy {
    const copy = this.#sent.get(nameOf(row.request, row.created_at, row.index));
    if (copy === undefined) throw new Violation(`a row of request ${row.request}, place ${row.index}, which nobody sent`);
    return copy;
  }

  /** The uuid under which an event was seen; the empty text for one that never was. */
  readonly uuidOf = (copy: Copy): string => copy.uuid ?? this.#uuids.get(copy.identity) ?? "";

  /**
   * Checks one reading: each event once and as it was sent, nothing missing that was committed before and is asked for, and of several
   * copies the one that a manifest names, else none that is not the least.
   */
  checkReading(
    project: number,
    shown: readonly Shown[],
    mark: Mark,
    slots: readonly string[],
    isAskedFor: (copy: Copy) => boolean = () => true,
  ): readonly Copy[] {
    const seen = new Map<string, Copy>();
    this.#readings += 1;
    for (const { row, isWaiting } of shown) {
      const copy = this.copyOf(row);
      if (seen.has(copy.identity)) throw new Violation(`a reader sees ${copy.identity} twice`);
      seen.set(copy.identity, copy);
      if (this.#removed.slice(0, mark.removed).some(isRemovedBy(copy)))
        throw new Violation(`a reader sees ${copy.identity}, which was removed before it began`);
      this.#checkRow(project, row, copy, slots);
      const gathered = this.#gathered.get(copy.identity);
      const known = gathered && this.#mayBeGone(gathered.copy) ? undefined : gathered;
      // Of a copy that is being removed a reader that began before may still see it, while another sees the one that took its place.
      const isOlder = known !== undefined && known.reading > mark.readings && (isWaiting || this.#mayBeGone(copy));
      if (known && known.copy !== copy && !isOlder)
        throw new Violation(`a reader sees another copy of ${copy.identity} than the one that a manifest named`);
      if (!isWaiting && !known) this.#gathered.set(copy.identity, { copy, reading: this.#readings });
    }
    const waiting = new Set(shown.flatMap(({ row, isWaiting }) => (isWaiting ? [this.copyOf(row)] : [])));
    this.#commits.slice(0, mark.commits).forEach((commit) => {
      if (commit.project !== project) return;
      for (const copy of commit.copies) {
        const stays = seen.get(copy.identity);
        if (stays === undefined && (!isAskedFor(copy) || this.#needNotStay(copy))) continue;
        if (stays === undefined) throw new Violation(`a reader lacks ${copy.identity}, committed before it began`);
        if (waiting.has(stays) && isLess(copy, stays) && !this.#needNotStay(copy))
          throw new Violation(`a reader sees a copy of ${copy.identity} that is not the least`);
      }
    });
    return [...seen.values()];
  }

  /** At the end: exactly what was accepted, or sent without an answer and stored all the same. Returns the copies that stayed. */
  checkFinal(project: number, shown: readonly Shown[], slots: readonly string[]): readonly Copy[] {
    const stayed = this.checkReading(project, shown, this.mark(), slots);
    const seen = new Set(stayed.map(({ identity }) => identity));
    for (const copy of this.#accepted)
      if (copy.project === project && !seen.has(copy.identity) && !this.#needNotStay(copy))
        throw new Violation(`${copy.identity} was accepted and is lost`);
    return stayed;
  }

  #checkRow(project: number, row: EventRow, copy: Copy, slots: readonly string[]): void {
    const said = [project, row.event, row.distinct_id, row.timestamp, row.historical, row.person_mode !== "propertyless"];
    const sent = [copy.project, copy.event, copy.distinctId, copy.time, copy.historical, copy.isPersonal];
    const properties = readJson(row.properties);
    const [shownText, sentText] = [sorted([...said.map(String), properties]), sorted([...sent.map(String), storedProperties(copy, slots)])];
    if (shownText !== sentText) throw new Violation(`a reader sees ${shownText}, sent was ${sentText}`);
    const known = this.uuidOf(copy);
    if (known !== "" && known !== row.uuid) throw new Violation(`${copy.identity} has the uuid ${row.uuid}, and had ${known}`);
    if (copy.uuidMs !== null && !hasForm(row.uuid, copy.uuidMs))
      throw new Violation(`the uuid ${row.uuid} does not begin with ${copy.uuidMs} ms`);
    this.#uuids.set(copy.identity, row.uuid);
  }

  /** Rows written by compaction for each row ingested, and jobs for each commit. */
  checkWork(): void {
    if (this.#violation) throw this.#violation;
    if (this.compactedRows > MAX_AMPLIFICATION * this.ingestedRows)
      throw new Violation(`compaction wrote ${this.compactedRows} rows for ${this.ingestedRows} ingested ones`);
    const [commits, forgotten, hours] = [this.#commits.length, this.forgotten, this.hours];
    if (this.jobs > JOBS_BASE + JOBS_PER_ASKING * this.workers * (commits + forgotten + hours))
      throw new Violation(
        `${this.jobs} jobs were done for ${commits} commits, ${forgotten} killed sweeps and ${hours} hours of bad weather, ${this.workers} workers sharing each`,
      );
  }
}

/** A reader that has not read all within this reads again. */
const READING_MS = 60_000;

const nameOf = (request: string, received: bigint, index: number): string => `${request} ${received} ${index}`;

/** A version 7 UUID of a time. */
const hasForm = (uuid: string, ms: bigint): boolean => {
  const time = ms.toString(16).padStart(12, "0");
  return uuid.startsWith(`${time.slice(0, 8)}-${time.slice(8)}-7`) && /^[89ab]$/.test(uuid.charAt(19));
};

const MAX_AMPLIFICATION = 15;
/**
 * A commit touches up to 13 partitions (a year's import); each asks for a job and its usage, of each of the workers that share it, and a
 * message is delivered up to three times. A sweep that was killed has forgotten what it asked for and asks once more, and so does one after an hour in which nothing moved.
 */
const JOBS_PER_ASKING = 13 * 2 * 3;
/** Folds, seals and audits of the calm. */
const JOBS_BASE = 150;
