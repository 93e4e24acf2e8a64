import { canonicalJson } from "../core/canonical-json.ts";
import { forEachConcurrent } from "../core/concurrency.ts";
import { DAY_MS } from "../core/time.ts";
import type { Budget } from "../ports/system.ts";
import type { CompactParts } from "./catalogue/parts.ts";
import { type OpenRemoval, type Removal, type Removals, STATE_ENTRY } from "./catalogue.ts";
import { stepByStep } from "./compact.ts";
import { readHead } from "./head.ts";
import type { Policy } from "./policy.ts";
import { changeRemovals } from "./removal/change-removals.ts";
import { drainWaiting } from "./removal/drain-waiting.ts";
import { rebuildPersons } from "./removal/rebuild-persons.ts";
import { skipStep } from "./removal/skip-step.ts";
import { findTouched, readTouched, type Touched } from "./removal/touched.ts";
import { erasedDigest, isBefore } from "./removals.ts";

/** How a removal ended: `more` where its time was over before the work, which the next call goes on with; `removed` where the project is gone. */
export type RemovalOutcome = "done" | "more" | "removed";

/** What a removal took from gathered files, as it found them when it began. */
export interface RemovalResult extends Pick<Touched, "rows" | "days" | "partitions"> {
  readonly outcome: RemovalOutcome;
}

/** Copies of an undone import may come for so long: what a queue keeps, and what lies in its dead letters. */
const COPIES_COME_MS = 35 * DAY_MS;

/** Partitions worked on side by side. */
const CONCURRENCY = 8;

/**
 * Removes rows from a project: no reader that pins a state after this has returned `done` sees one of them, nor what they alone said of
 * persons and groups; and none that comes later is seen. Their bytes are left to `finishRemovals`. Safe to run again and beside itself: a call
 * that was cut off is gone on with by the next one of the same removal.
 */
export const removeRows = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  removal: Removal,
  budget: Budget = { remainingMs: () => Number.POSITIVE_INFINITY },
): Promise<RemovalResult> => {
  const inTime = (): boolean => budget.remainingMs() > 0;
  const begun = await changeRemovals(parts, policy, project, (before) => withOpen(before, removal, parts.clock.now()));
  if (begun === "removed") return ended("removed");
  const touched = await knownTouched(parts, policy, project, removal, begun);
  if (touched === "removed") return ended("removed");
  for (const step of [
    () => skipEverywhere(parts, policy, project, removal, inTime),
    () => drainWaiting(parts, policy, project, inTime),
    () => rebuildPersons(parts, policy, project, { ...touched.found, gone: goneIds(removal) }, inTime),
  ]) {
    const outcome = await step();
    if (outcome !== "done") return ended(outcome, touched.found);
  }
  const closed = await changeRemovals(parts, policy, project, (before) => withoutOpen(before, removal), [touched.key]);
  return ended(closed === "removed" ? closed : "done", touched.found);
};

/** Ids none of whose rows are left once those of a removal are skipped: no row of theirs is gathered any more while it is open. */
const goneIds = (removal: Removal): ReadonlySet<string> => new Set(removal.kind === "ids" ? removal.distinctIds : []);

const NOTHING = { rows: 0, days: {}, partitions: [] } as const;

const ended = (outcome: RemovalOutcome, { rows, days, partitions }: Omit<RemovalResult, "outcome"> = NOTHING): RemovalResult => ({
  outcome,
  rows,
  days,
  partitions,
});

const isSame =
  (removal: Removal) =>
  (other: OpenRemoval): boolean =>
    canonicalJson(other.removal) === canonicalJson(removal);

/** In force from now on, and to be carried out. */
const withOpen = (before: Removals, removal: Removal, now: number): Removals => {
  if (before.open.some(isSame(removal))) return before;
  const open = [...before.open, { removal, at: now }];
  switch (removal.kind) {
    case "ids": {
      const digests = removal.distinctIds.map((id) => erasedDigest(before.salt, id));
      return { ...before, at: now, open, erased: [...new Set([...before.erased, ...digests])] };
    }
    case "import": {
      const others = before.imports.filter(({ id }) => id !== removal.import);
      return { ...before, at: now, open, imports: [...others, { id: removal.import, until: now + COPIES_COME_MS }] };
    }
    case "before": {
      const isLater = before.before === null || before.before < removal.month;
      return { ...before, at: now, open, before: isLater ? removal.month : before.before };
    }
  }
};

const withoutOpen = (before: Removals, removal: Removal): Removals => {
  const open = before.open.filter((other) => !isSame(removal)(other));
  if (open.length === before.open.length) return before;
  if (removal.kind !== "ids" || removal.late === undefined) return { ...before, open };
  const digests = new Set(removal.distinctIds.map((id) => erasedDigest(before.salt, id)));
  return { ...before, open, erased: before.erased.filter((digest) => !digests.has(digest)) };
};

/** What the removal takes, found by this call or one before it. */
const knownTouched = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  removal: Removal,
  { open }: Removals,
): Promise<{ readonly key: string; readonly found: Touched } | "removed"> => {
  const known = open.find(isSame(removal))?.touched;
  if (known !== undefined) return { key: known, found: await readTouched(parts, known) };
  const key = await findTouched(parts, project, removal);
  const noted = await changeRemovals(parts, policy, project, (before) => withTouched(before, removal, key));
  if (noted === "removed") return noted;
  const held = noted.open.find(isSame(removal))?.touched ?? key;
  return { key: held, found: await readTouched(parts, held) };
};

const withTouched = (before: Removals, removal: Removal, touched: string): Removals => {
  const isUnknown = before.open.some((other) => isSame(removal)(other) && other.touched === undefined);
  if (!isUnknown) return before;
  return { ...before, open: before.open.map((other) => (isSame(removal)(other) ? { ...other, touched } : other)) };
};

/**
 * Swaps of one partition that are tried: each lost race was won by a job. No row of the removal comes to a file any more, so one that was
 * swapped in is the last.
 */
const RACES = 50;

const skipEverywhere = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  removal: Removal,
  inTime: () => boolean,
): Promise<RemovalOutcome> => {
  const { manifests, removedAt } = await readHead(parts.table, project);
  if (removedAt !== null) return "removed";
  const partitions = Object.keys(manifests).filter(
    (entry) => entry !== STATE_ENTRY && (removal.kind !== "before" || isBefore(entry, removal.month)),
  );
  let worst: RemovalOutcome = "done";
  const left = await forEachConcurrent(
    partitions,
    CONCURRENCY,
    async (partition) => {
      const outcome = await skipIn(parts, policy, project, partition, removal, inTime);
      if (outcome !== "done" && worst !== "removed") worst = outcome;
    },
    inTime,
  );
  return left.length > 0 && worst === "done" ? "more" : worst;
};

const skipIn = async (
  parts: CompactParts,
  policy: Policy,
  project: number,
  partition: string,
  removal: Removal,
  inTime: () => boolean,
): Promise<RemovalOutcome> => {
  for (let race = 1; race <= RACES && inTime(); race += 1) {
    let isOver = false;
    const { outcome } = await stepByStep(parts, policy, { project, partition }, { kind: "whole" }, async (found) => {
      const step = isOver ? null : await skipStep(parts, policy, found, removal);
      isOver = step === null || step.isLast;
      return step?.proposal ?? null;
    });
    if (outcome === "done" || outcome === "removed") return outcome;
  }
  return "more";
};
