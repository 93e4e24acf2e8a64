import type { Item } from "../../../lib/ports/table.ts";
import type { ItemChange } from "../ports/table.ts";
import { Violation } from "./violation.ts";

/** The project that all happens in. */
export const PROJECT = 7;

/** A fingerprint's item, as far as it is judged. */
export interface StoredFingerprint {
  readonly fingerprint: string;
  readonly issueId: string;
  readonly firstSeen: string;
}

/** What one write or transaction changed of issues and fingerprints. */
export interface StoredChange {
  readonly made: readonly Item[];
  readonly gone: readonly Item[];
  readonly altered: readonly { readonly before: Item; readonly after: Item }[];
  readonly added: readonly StoredFingerprint[];
  readonly moved: readonly StoredFingerprint[];
  readonly spikes: readonly Item[];
}

const ISSUES = `errors#${PROJECT}#issues`;
const MERGED = `errors#${PROJECT}#merged-issues`;
const FINGERPRINTS = `errors#${PROJECT}#fingerprints`;
const MOVED = `errors#${PROJECT}#moved-fingerprints`;
const SPIKES = `errors#${PROJECT}#spikes`;
const ISSUE_COUNT = `count#errors#issues#${PROJECT}`;
const FINGERPRINT_COUNT = `count#errors#fingerprints#${PROJECT}`;

/**
 * What the table says of issues, read item by item at the moment of each write. It interprets as little as it can: which issues there
 * are, where a merged one leads, which issue a fingerprint has, and where stored events of one were led to.
 */
export class Stored {
  readonly issues = new Map<string, Item>();
  readonly fingerprints = new Map<string, StoredFingerprint>();
  readonly #mergedInto = new Map<string, string>();
  readonly #moved = new Map<string, string>();
  #issueCount = 0;
  #fingerprintCount = 0;

  /** Takes a write in; null where it is about something else. */
  take(changes: readonly ItemChange[]): StoredChange | null {
    const made: Item[] = [];
    const gone: Item[] = [];
    const altered: { readonly before: Item; readonly after: Item }[] = [];
    const added: StoredFingerprint[] = [];
    const moved: StoredFingerprint[] = [];
    const spikes: Item[] = [];
    let concerned = false;
    for (const { before, after } of changes) {
      const one = after ?? before;
      if (one === undefined || before === after || !isOurs(one.pk)) continue;
      concerned = true;
      switch (one.pk) {
        case ISSUES:
          if (after === undefined) {
            this.issues.delete(String(one.id));
            gone.push(one);
          } else {
            this.issues.set(String(one.id), after);
            if (before === undefined) made.push(after);
            else altered.push({ before, after });
          }
          break;
        case MERGED:
          if (typeof one.merged_into !== "string") break;
          if (after === undefined) this.#mergedInto.delete(String(one.id));
          else this.#mergedInto.set(String(one.id), String(after.merged_into));
          break;
        case FINGERPRINTS: {
          if (after === undefined) throw new Violation(`the fingerprint ${one.fingerprint} is gone`);
          const read = { fingerprint: String(after.fingerprint), issueId: String(after.issue_id), firstSeen: String(after.first_seen) };
          this.fingerprints.set(read.fingerprint, read);
          if (before === undefined) added.push(read);
          else if (before.issue_id !== after.issue_id) moved.push(read);
          break;
        }
        case MOVED:
          if (after === undefined) this.#moved.delete(String(one.fingerprint));
          else this.#moved.set(String(one.fingerprint), String(after.issue_id));
          break;
        case SPIKES:
          if (before === undefined && after !== undefined) spikes.push(after);
          break;
        case ISSUE_COUNT:
          this.#issueCount = Number(after?.count ?? 0);
          break;
        default:
          this.#fingerprintCount = Number(after?.count ?? 0);
      }
    }
    return concerned ? { made, gone, altered, added, moved, spikes } : null;
  }

  /** The live issue that an id leads to; undefined where it leads nowhere. */
  root(id: string): string | undefined {
    let at: string | undefined = id;
    for (let steps = 0; at !== undefined && !this.issues.has(at); steps += 1) {
      if (steps > this.#mergedInto.size) throw new Violation(`what leads to issue ${id} leads in a ring`);
      at = this.#mergedInto.get(at);
    }
    return at;
  }

  /** The live issue of a stored event: as a query finds it, by what was moved, else by what the event says itself. */
  rootOfEvent(fingerprint: string, issueId: string): string | undefined {
    return this.root(this.#moved.get(fingerprint) ?? issueId);
  }

  mergedInto(id: string): string | undefined {
    return this.#mergedInto.get(id);
  }

  /** Counts are written with what they count, so they agree at any moment. */
  checkCounts(): void {
    if (this.#issueCount !== this.issues.size) throw new Violation(`${this.issues.size} issues are counted as ${this.#issueCount}`);
    if (this.#fingerprintCount !== this.fingerprints.size)
      throw new Violation(`${this.fingerprints.size} fingerprints are counted as ${this.#fingerprintCount}`);
  }
}

const OURS: ReadonlySet<string> = new Set([ISSUES, MERGED, FINGERPRINTS, MOVED, SPIKES, ISSUE_COUNT, FINGERPRINT_COUNT]);
const isOurs = (pk: string): boolean => OURS.has(pk);
