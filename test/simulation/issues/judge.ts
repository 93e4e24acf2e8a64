import type { Item } from "../../../lib/ports/table.ts";
import type { ItemChange } from "../ports/table.ts";
import { Forest } from "./forest.ts";
import type { SentException, Status } from "./scenario.ts";
import { Stored, type StoredChange, type StoredFingerprint } from "./stored.ts";
import { Violation } from "./violation.ts";

/** What somebody asks the product to do. */
export type Command =
  | { readonly kind: "merge" | "unmerge"; readonly target: string; readonly ids: readonly string[] }
  | { readonly kind: "split"; readonly issue: string; readonly fingerprints: readonly string[] }
  | { readonly kind: "status"; readonly issue: string; readonly status: Status }
  | { readonly kind: "drain"; readonly events: readonly DrainedException[] }
  | { readonly kind: "settle" };

/** An exception of a drain, with the fingerprint that it has to get. */
export interface DrainedException extends SentException {
  readonly fingerprint: string;
}

/** A stored exception, and what its event says of itself. */
export interface StoredException {
  readonly sent: DrainedException;
  readonly fingerprint: unknown;
  readonly issueId: string;
}

/** A command that is under way, or that ended without an answer. */
export interface Work {
  readonly actor: string;
  readonly command: Command;
  /** The clock of the process that does it, milliseconds. */
  readonly now: () => number;
  readonly beganAt: number;
  readonly began: number;
  /** Of a merge or split: what has not been seen to be done, or not to be needed, since it began. */
  readonly open: Set<string>;
  /** The issues that the one which it is about led to at some moment, and those that these were merged into. */
  readonly about: Set<string>;
  /** Of an unmerge: the ids that were live at some moment, and those that were not of the target's. */
  readonly live: Set<string>;
  readonly elsewhere: Set<string>;
  /** Of a drain: the issues that each fingerprint had at some moment, and those that these were merged into. */
  readonly seen: Map<string, Set<string>>;
  /** The issues that it made or took out. */
  readonly made: Set<string>;
}

interface Resolution {
  /** The write from which on the issue is resolved. */
  at: number;
  /** Between which times of its process it was: what an import has to be later than. */
  readonly from: number;
  readonly to: number;
}

/**
 * Watches every write of the table, whoever made it, and knows of each command from when to when it lasted. A write that changes which
 * issue a fingerprint belongs to has to be one that a command in its time asked for; and what a command answers has to be true of some
 * moment of its time. So the commands are as if each had happened at one moment, in an order that nobody can tell from the real one.
 */
export class Judge {
  readonly stored = new Stored();
  readonly forest = new Forest();
  readonly #works: Work[] = [];
  /** Fingerprints of an issue that was taken out, which the table still leads to where they were: by fingerprint. */
  readonly #late = new Map<string, string>();
  readonly #resolved = new Map<string, Resolution>();
  /** The last write at which an issue was suppressed; Infinity while it is. */
  readonly #suppressed = new Map<string, number>();
  /** As they were when they were merged. */
  readonly #merged = new Map<string, Item>();
  /** Where stored events point: fingerprint and issue, each pair once. */
  readonly #pairs = new Map<string, { readonly fingerprint: string; readonly issueId: string }>();
  readonly #first = new Map<string, string>();
  readonly #drained = new Map<string, { least: number; leastStored: number }>();
  readonly #storedEvents = new Set<string>();
  readonly #answeredEvents = new Set<string>();
  /** Live exceptions that some drain was given. */
  readonly #live = new Set<string>();
  #writes = 0;
  #commands = 0;

  /** How many commands were begun, without drains and jobs. */
  get commands(): number {
    return this.#commands;
  }

  /** Exceptions that are stored, each once. */
  get events(): number {
    return this.#storedEvents.size;
  }

  /** Exceptions that some drain stored or dropped for good. */
  hasAnswered(uuid: string): boolean {
    return this.#answeredEvents.has(uuid);
  }

  begin(actor: string, command: Command, now: () => number): Work {
    const work: Work = {
      ...{ actor, command, now, beganAt: now(), began: this.#writes },
      ...{ open: new Set(), live: new Set(), elsewhere: new Set(), seen: new Map(), made: new Set(), about: new Set() },
    };
    if (command.kind === "merge") for (const id of command.ids) work.open.add(id);
    if (command.kind === "split") for (const fingerprint of command.fingerprints) work.open.add(fingerprint);
    if (command.kind === "drain") for (const { uuid, imported } of command.events) if (!imported) this.#live.add(uuid);
    if (command.kind === "status") work.open.add(command.status);
    if (command.kind !== "drain" && command.kind !== "settle") this.#commands += 1;
    this.#works.push(work);
    this.#mark(work);
    return work;
  }

  /** It was answered, and does nothing any more. */
  ended(work: Work): void {
    this.#works.splice(this.#works.indexOf(work), 1);
  }

  /** Nothing that it had begun goes on. */
  died(actor: string): void {
    for (const work of this.#works.filter((each) => each.actor === actor)) this.ended(work);
  }

  /** The issue that a fingerprint had first. */
  firstIssue(fingerprint: string): string | undefined {
    return this.#first.get(fingerprint);
  }

  /** A write of the table. */
  written(actor: string, changes: readonly ItemChange[]): void {
    const change = this.stored.take(changes);
    if (change === null) return;
    this.#writes += 1;
    const works = this.#works.filter((work) => work.actor === actor);
    for (const issue of change.made) {
      if (this.forest.has(String(issue.id))) this.#takenOut(issue, works);
      else this.#opened(issue, change, works);
    }
    for (const issue of change.gone) this.#gone(issue, works);
    for (const { fingerprint, issueId } of change.added)
      if (this.forest.rootOf(fingerprint) === undefined) throw new Violation(`${fingerprint} was given to ${issueId}, which is not new`);
    for (const spike of change.spikes) this.#spiked(spike, works);
    for (const { before, after } of change.altered) this.#altered(before, after, works);
    this.#look();
    for (const work of this.#works) this.#mark(work);
  }

  /** A spike is one of live exceptions: of as many as came, and of some of the drain that tells of it. */
  #spiked({ issue_id, current_bucket_value: current }: Item, works: readonly Work[]): void {
    const isLive = ({ command, seen }: Work): boolean =>
      command.kind === "drain" &&
      command.events.some(({ fingerprint, imported }) => !imported && seen.get(fingerprint)?.has(String(issue_id)));
    if (!works.some(isLive)) throw new Violation(`issue ${issue_id} has a spike, and no live exception just came`);
    if (Number(current) > this.#live.size) throw new Violation(`a spike of ${current} exceptions, and ${this.#live.size} came`);
  }

  #opened(issue: Item, { added, moved }: StoredChange, works: readonly Work[]): void {
    const id = String(issue.id);
    const isOwn = ({ issueId }: StoredFingerprint): boolean => issueId === id;
    const [own, ...others] = [...added, ...moved].filter(isOwn);
    if (own === undefined || others.length > 0)
      throw new Violation(`issue ${id} is made for ${others.length + (own ? 1 : 0)} fingerprints`);
    const { fingerprint } = own;
    const asked = added.includes(own)
      ? works.some(({ command }) => command.kind === "drain" && command.events.some((event) => event.fingerprint === fingerprint))
      : works.some((work) => this.#splits(work, fingerprint));
    if (!asked) throw new Violation(`issue ${id} is made of ${fingerprint}, and nobody asked for that`);
    if (issue.status !== "active") throw new Violation(`issue ${id} is new and ${issue.status}`);
    this.forest.plant(id, fingerprint);
    if (!this.#first.has(fingerprint)) this.#first.set(fingerprint, id);
    this.#late.delete(fingerprint);
    for (const work of works) work.made.add(id);
  }

  /** Whether a command takes the fingerprint out of the issue that has it at the moment. */
  #splits(work: Work, fingerprint: string): boolean {
    const { command, open } = work;
    if (command.kind !== "split" || !command.fingerprints.includes(fingerprint)) return false;
    open.delete(fingerprint);
    return this.#roots(fingerprint).some((root) => this.#isAbout(work, root));
  }

  #takenOut(issue: Item, works: readonly Work[]): void {
    const id = String(issue.id);
    const from = this.forest.root(id);
    const asked = works.some((work) => work.command.kind === "unmerge" && work.command.ids.includes(id) && this.#isAbout(work, from));
    if (!asked || from === undefined || from === id) throw new Violation(`issue ${id} is there again, and nobody asked for that`);
    const merged = this.#merged.get(id);
    for (const name of KEPT)
      if (JSON.stringify(merged?.[name]) !== JSON.stringify(issue[name]))
        throw new Violation(`issue ${id} is there again with ${name} ${issue[name]}, and had ${merged?.[name]}`);
    this.forest.takeOut(id);
    const resolution = this.#resolved.get(id);
    if (resolution !== undefined) resolution.at = this.#writes;
    for (const fingerprint of this.forest.fingerprints)
      if (this.forest.rootOf(fingerprint) === id && !this.#late.has(fingerprint)) this.#late.set(fingerprint, from);
    for (const work of works) work.made.add(id);
  }

  #gone(issue: Item, works: readonly Work[]): void {
    const id = String(issue.id);
    const into = this.stored.mergedInto(id);
    if (into === undefined) throw new Violation(`issue ${id} is gone, and nothing says where it leads`);
    const root = this.forest.root(into);
    const asked = works.some(
      (work) => work.command.kind === "merge" && work.command.ids.some((one) => this.forest.root(one) === id) && this.#isAbout(work, root),
    );
    if (!asked || root === undefined) throw new Violation(`issue ${id} was merged into ${into}, and nobody asked for that`);
    this.#merged.set(id, issue);
    this.forest.merge(id, root);
  }

  #altered(before: Item, after: Item, works: readonly Work[]): void {
    const id = String(after.id);
    if (after.status === "suppressed") this.#suppressed.set(id, Number.POSITIVE_INFINITY);
    else if (before.status === "suppressed") this.#suppressed.set(id, this.#writes);
    const setting = works.find((work) => work.command.kind === "status" && this.#isAbout(work, id));
    if (setting?.command.kind === "status" && after.status === setting.command.status) {
      if (after.status !== "resolved") this.#resolved.delete(id);
      else {
        const known = this.#resolved.get(id);
        this.#resolved.set(id, { at: known?.at ?? this.#writes, from: known?.from ?? setting.beganAt, to: setting.now() });
      }
      return;
    }
    if (before.status === after.status) return;
    if (before.status !== "resolved" || after.status !== "active" || !works.some((work) => this.#mayReopen(work, id)))
      throw new Violation(`issue ${id} went from ${before.status} to ${after.status}, and nothing is a reason for that`);
    this.#resolved.delete(id);
  }

  /** A drain reopens what was resolved for a live exception, and for an imported one that is later than the resolution. */
  #mayReopen({ command, seen }: Work, id: string): boolean {
    if (command.kind !== "drain") return false;
    const resolvedFrom = this.#resolved.get(id)?.from ?? 0;
    return command.events.some(({ fingerprint, imported, at }) => seen.get(fingerprint)?.has(id) && (!imported || at > resolvedFrom));
  }

  /** Whoever asks names an issue by an id, which leads to one when he asks, and may lead to another one when it is done. */
  #isAbout({ about }: Work, root: string | undefined): boolean {
    return root !== undefined && [...about].some((id) => this.forest.root(id) === root);
  }

  /** The issues that a fingerprint may be said to have at the moment: two while it is on its way back. */
  #roots(fingerprint: string): readonly (string | undefined)[] {
    const late = this.#late.get(fingerprint);
    const root = this.forest.rootOf(fingerprint);
    return late === undefined ? [root] : [root, this.forest.root(late)];
  }

  /** Everything that has to be true at any moment. */
  #look(): void {
    for (const { fingerprint, issueId } of this.stored.fingerprints.values()) {
      const root = this.stored.root(issueId);
      if (root === undefined) throw new Violation(`${fingerprint} leads to ${issueId}, which is nowhere`);
      if (root === this.forest.rootOf(fingerprint)) this.#late.delete(fingerprint);
      else if (!this.#roots(fingerprint).includes(root))
        throw new Violation(`${fingerprint} leads to ${root}, and belongs to ${this.forest.rootOf(fingerprint)}`);
    }
    for (const pair of this.#pairs.values()) this.#checkPair(pair);
    if (this.stored.issues.size !== this.forest.live.length)
      throw new Violation(`there are ${this.stored.issues.size} issues, and should be ${this.forest.live.length}`);
    this.stored.checkCounts();
  }

  /** A stored event is of the issue that its fingerprint has. */
  #checkPair({ fingerprint, issueId }: { readonly fingerprint: string; readonly issueId: string }): void {
    const root = this.stored.rootOfEvent(fingerprint, issueId);
    const own = this.stored.fingerprints.get(fingerprint)?.issueId;
    if (root === undefined || own === undefined || root !== this.stored.root(own))
      throw new Violation(`events of ${fingerprint} that say ${issueId} are found under ${root}, and it leads to ${own}`);
  }

  #mark(work: Work): void {
    const { command, about } = work;
    const asked = "target" in command ? command.target : "issue" in command ? command.issue : undefined;
    if (asked !== undefined) for (const id of [asked, ...about]) about.add(this.forest.root(id) ?? id);
    switch (command.kind) {
      case "merge":
        for (const id of work.open) if (!this.forest.has(id) || this.#isAbout(work, this.forest.root(id))) work.open.delete(id);
        return;
      case "split":
        for (const fingerprint of work.open)
          if (this.#late.has(fingerprint) || this.forest.rootOf(fingerprint) !== this.forest.root(command.issue))
            work.open.delete(fingerprint);
        return;
      case "unmerge":
        for (const id of command.ids) {
          if (this.forest.isLive(id)) work.live.add(id);
          const root = this.forest.root(id);
          if (root === id || [...about].some((one) => this.forest.root(one) !== root)) work.elsewhere.add(id);
        }
        return;
      case "status":
        for (const id of about) if (this.stored.issues.get(id)?.status === command.status) work.open.clear();
        return;
      case "drain":
        for (const { fingerprint } of command.events) {
          const seen = work.seen.get(fingerprint) ?? new Set<string>();
          work.seen.set(fingerprint, seen);
          for (const root of this.#roots(fingerprint)) if (root !== undefined) seen.add(root);
          // Whoever reads which issue a fingerprint has goes on to where that one was merged.
          for (const id of seen) seen.add(this.forest.root(id) ?? id);
        }
    }
  }

  /** A merge was answered; null where its target was not found. */
  merged(work: Work, answer: { readonly success: boolean } | null): void {
    this.ended(work);
    if (work.command.kind !== "merge") return;
    this.#checkFound(work.command.target, answer);
    if (answer !== null && work.open.size > 0)
      throw new Violation(`${work.actor} was answered, and ${[...work.open]} was at no moment of the same issue as ${work.command.target}`);
  }

  /** A split was answered with the issues that it made. */
  splitUp(work: Work, ids: readonly string[] | null): void {
    this.ended(work);
    if (work.command.kind !== "split") return;
    this.#checkFound(work.command.issue, ids);
    if (ids === null) return;
    if (work.open.size > 0) throw new Violation(`${work.actor} was answered, and ${[...work.open]} was not split off`);
    if (JSON.stringify([...ids].sort()) !== JSON.stringify([...work.made].sort()))
      throw new Violation(`${work.actor} was answered with ${ids}, and made ${[...work.made]}`);
  }

  /** An unmerge was answered. */
  unmerged(work: Work, answer: { readonly success: boolean } | null): void {
    this.ended(work);
    if (work.command.kind !== "unmerge") return;
    const { target, ids } = work.command;
    this.#checkFound(target, answer);
    if (answer === null) return;
    const { success } = answer;
    const wanting = success ? ids.filter((id) => this.forest.has(id) && !work.live.has(id) && !work.elsewhere.has(id)) : [];
    if (wanting.length > 0) throw new Violation(`${work.actor} was answered, and ${wanting} was at no moment an issue of its own`);
    const refused = success ? [] : ids.filter((id) => this.forest.has(id) && !work.elsewhere.has(id));
    if (refused.length > 0) throw new Violation(`${work.actor} was answered that there is nothing to take out, and there is ${refused}`);
  }

  /** A change of status was answered. */
  statusSet(work: Work, found: object | null): void {
    this.ended(work);
    if (work.command.kind !== "status") return;
    this.#checkFound(work.command.issue, found);
    if (found !== null && work.open.size > 0)
      throw new Violation(`${work.actor} was answered, and ${work.command.issue} was never ${work.command.status}`);
  }

  #checkFound(id: string, answer: unknown): void {
    if (answer === null && this.forest.has(id)) throw new Violation(`issue ${id} is not found, and leads to ${this.forest.root(id)}`);
  }

  /** A drain has its answer, and stored these of its exceptions. */
  drained(work: Work, stored: readonly StoredException[], limit: number | null): void {
    this.ended(work);
    if (work.command.kind !== "drain") return;
    const { events } = work.command;
    for (const each of stored) {
      const { sent, fingerprint, issueId } = each;
      if (fingerprint !== sent.fingerprint) throw new Violation(`an exception of ${sent.fingerprint} is stored as one of ${fingerprint}`);
      if (!work.seen.get(sent.fingerprint)?.has(issueId))
        throw new Violation(`an exception of ${sent.fingerprint} is stored for ${issueId}, which it never had meanwhile`);
      this.#checkOpen(work, sent, issueId);
      const pair = { fingerprint: sent.fingerprint, issueId };
      this.#pairs.set(`${issueId} ${sent.fingerprint}`, pair);
      this.#checkPair(pair);
      this.#storedEvents.add(sent.uuid);
    }
    const kept = new Set(stored.map(({ sent }) => sent.uuid));
    for (const event of events) {
      this.#answeredEvents.add(event.uuid);
      const known = this.#drained.get(event.fingerprint) ?? { least: Number.POSITIVE_INFINITY, leastStored: Number.POSITIVE_INFINITY };
      this.#drained.set(event.fingerprint, known);
      known.least = Math.min(known.least, event.at);
      if (kept.has(event.uuid)) known.leastStored = Math.min(known.leastStored, event.at);
      else this.#checkDropped(work, event, limit);
    }
  }

  /** An issue is not resolved from before a live exception was read until after it is stored. */
  #checkOpen({ began, actor }: Work, { imported, at }: DrainedException, issueId: string): void {
    const resolution = this.#resolved.get(issueId);
    if (this.stored.issues.get(issueId)?.status !== "resolved" || resolution === undefined || resolution.at > began) return;
    if (imported && at <= resolution.to) return;
    throw new Violation(`issue ${issueId} is resolved, and has a later exception of ${actor}`);
  }

  /** Exceptions of suppressed issues are dropped, and those above a rate limit if they are live. */
  #checkDropped({ began, seen }: Work, { fingerprint, imported, uuid }: DrainedException, limit: number | null): void {
    if (limit !== null && !imported && (this.#live.size > limit || this.#merged.size > 0)) return;
    const roots = [...(seen.get(fingerprint) ?? [])];
    if (!roots.some((root) => (this.#suppressed.get(root) ?? -1) >= began))
      throw new Violation(`the exception ${uuid} of ${fingerprint} is not stored, and no issue of it is suppressed`);
  }

  /** What has to be true when all work has come to its end. */
  checkEnd(): void {
    this.#look();
    for (const [fingerprint, late] of this.#late) throw new Violation(`${fingerprint} still leads to ${late}`);
    for (const { fingerprint, issueId } of this.stored.fingerprints.values())
      if (!this.stored.issues.has(issueId)) throw new Violation(`${fingerprint} still has ${issueId}, which was merged`);
    const own = Map.groupBy(this.forest.fingerprints, (fingerprint) => this.forest.rootOf(fingerprint) ?? "");
    for (const [id, fingerprints] of own) {
      const least = Math.min(...fingerprints.map((fingerprint) => this.#drained.get(fingerprint)?.least ?? Number.POSITIVE_INFINITY));
      const leastStored = Math.min(...fingerprints.map((each) => this.#drained.get(each)?.leastStored ?? Number.POSITIVE_INFINITY));
      const firstSeen = Date.parse(String(this.stored.issues.get(id)?.first_seen));
      if (firstSeen < least || firstSeen > leastStored)
        throw new Violation(`issue ${id} was first seen at ${iso(firstSeen)}, and its first exception is of ${iso(leastStored)}`);
    }
  }
}

/** What an issue has again when it is taken out. */
const KEPT = ["status", "severity", "name", "description", "assignee", "created_at"] as const;

const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : "never");
