import type { Random } from "../random.ts";

/** An exception as a client sends it. */
export interface SentException {
  readonly uuid: string;
  /** Which of the scenario's kinds it is of: those of one kind are of one fingerprint. */
  readonly kind: number;
  /** Of the event, milliseconds. */
  readonly at: number;
  /** Sent in a request that was flagged as history. */
  readonly imported: boolean;
}

/** A message of ingest, and how long after the one before it is sent. */
export interface SentMessage {
  readonly name: string;
  readonly gapMs: number;
  readonly imported: boolean;
  readonly exceptions: readonly SentException[];
}

/** An issue, said by a fingerprint: the one that it has when the command begins, or the first that it ever had, merged or not. */
export interface Choice {
  readonly kind: number;
  readonly first: boolean;
}

export type Status = "active" | "resolved" | "suppressed";

export type Plan =
  | { readonly kind: "merge" | "unmerge"; readonly target: Choice; readonly ids: readonly Choice[] }
  | { readonly kind: "split"; readonly issue: Choice; readonly fingerprints: readonly number[] }
  | { readonly kind: "status"; readonly issue: Choice; readonly status: Status };

/** Commands that begin at about the same time. */
export interface Group {
  readonly gapMs: number;
  readonly plans: readonly Plan[];
}

export interface Scenario {
  readonly start: number;
  /** How many kinds of exceptions there are; the first few have no fingerprint of the client's. */
  readonly kinds: number;
  readonly messages: readonly SentMessage[];
  readonly groups: readonly Group[];
  readonly ingesters: number;
  readonly workers: number;
  /** A rate limit of so many exceptions of an issue in an hour; null without. */
  readonly limit: number | null;
  /** From so many exceptions in five minutes on an issue has a spike. */
  readonly spike: number;
}

/** Kinds whose fingerprint is worked out from the exception. */
export const AUTOMATIC_KINDS = 2;

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;
export const START = Date.parse("2026-03-15T12:00:00Z");

/** How long before its sending an exception happened. */
const AGES = [0, 0, SECOND_MS, 60 * SECOND_MS] as const;
const IMPORTED_AGES = [0, DAY_MS, 30 * DAY_MS, 400 * DAY_MS] as const;

/** Up to so many kinds: with few of them commands meet one another. */
const KINDS = [2, 3, 4, 6] as const;

const GAPS = [10, 100, SECOND_MS, 10 * SECOND_MS] as const;

export const scenarioOf = (random: Random): Scenario => {
  const kinds = random.pick(KINDS);
  const gap = random.pick(GAPS);
  const limit = random.chance(0.2) ? random.int(1, 3) : null;
  const hasImports = random.chance(0.5);
  let at = START;
  let count = 0;
  const message = (own: readonly number[]): SentMessage => {
    const gapMs = random.next() * gap;
    at += gapMs;
    const imported = hasImports && random.chance(0.4);
    const exceptions = own.map((kind): SentException => {
      count += 1;
      const age = random.pick(imported ? IMPORTED_AGES : AGES);
      // Some say a time that is still to come, as the clocks of clients do.
      const later = random.chance(0.1) ? DAY_MS : 0;
      return { uuid: uuidOf(count), kind, at: Math.floor(at - age + later), imported };
    });
    return { name: `message-${count}`, gapMs, imported, exceptions };
  };
  const some = (): readonly number[] => Array.from({ length: random.int(1, 4) }, () => random.int(0, kinds - 1));
  // Most have their issues before anything happens to them.
  const first = random.chance(0.8) ? [message(Array.from({ length: kinds }, (_, kind) => kind))] : [];
  return {
    start: START,
    kinds,
    messages: [...first, ...Array.from({ length: random.int(1, 8) }, () => message(some()))],
    groups: Array.from({ length: random.int(1, 6) }, () => ({ gapMs: random.next() * gap * 2, plans: plansOf(random, kinds) })),
    ingesters: random.int(1, 3),
    workers: random.int(1, 2),
    limit,
    spike: random.int(2, 4),
  };
};

const plansOf = (random: Random, kinds: number): readonly Plan[] => {
  const any = (): number => random.int(0, kinds - 1);
  const choice = (kind = any()): Choice => ({ kind, first: random.chance(0.4) });
  const all = Array.from({ length: kinds }, (_, kind) => kind);
  const merge = (target: Choice, ...ids: readonly Choice[]): Plan => ({ kind: "merge", target, ids });
  const split = (kind: number): Plan => ({
    kind: "split",
    issue: choice(random.chance(0.7) ? kind : any()),
    fingerprints: [kind, ...(random.chance(0.3) ? [any()] : [])],
  });
  const unmerge = (): Plan => ({ kind: "unmerge", target: choice(), ids: [{ kind: any(), first: true }] });
  const status = (): Plan => ({
    kind: "status",
    issue: choice(),
    status: random.pick(["resolved", "resolved", "resolved", "active", "suppressed"]),
  });
  const [one, two] = [any(), any()];
  switch (random.int(0, 11)) {
    case 0:
      return [merge(choice(one), choice(two)), merge(choice(two), choice(one))];
    case 1:
      return all.map((kind) => merge(choice((kind + 1) % kinds), choice(kind)));
    case 2:
      return all.slice(1).map((kind) => merge(choice(0), choice(kind)));
    case 3:
      return all.slice(1).map((kind) => merge(choice(kind), choice(0)));
    case 4:
      return [merge(choice(one), ...all.filter((kind) => kind !== one).map((kind) => choice(kind)))];
    case 5: {
      const clicked = random.pick([merge(choice(one), choice(two)), split(one), unmerge()]);
      return Array.from({ length: random.int(2, 3) }, () => clicked);
    }
    case 6:
      return [split(one), merge(choice(one), choice(two))];
    case 7:
      return [split(one), merge(choice(two), choice(one)), split(two)];
    case 8:
      return [unmerge(), random.pick([merge(choice(one), choice(two)), split(one), unmerge()])];
    case 9:
      return [unmerge()];
    case 10:
      return [status(), random.pick([merge(choice(one), choice(two)), status()])];
    default:
      return [status()];
  }
};

const uuidOf = (count: number): string => `0195a000-0000-7000-8000-${String(count).padStart(12, "0")}`;
