import { writtenVersion } from "../../core/formats.ts";
import { pack } from "../../core/pack.ts";
import { ConditionFailed, Conflict, type Write } from "../../ports/table.ts";
import { CATALOGUE_FORMAT, type Manifest, type Removals, type Retirement, type StateManifest } from "../catalogue.ts";
import { readHead, renameWrite } from "../head.ts";
import { lakePk, laterKeys, manifestKey, publishSk, retiredSk, sealSk } from "../paths.ts";
import type { Policy } from "../policy.ts";
import { putManifest } from "./manifests.ts";
import type { SwapParts } from "./parts.ts";

/** `lost`: another one swapped this entry first, and the work has to begin anew. `removed`: the project is gone. */
export type SwapOutcome = "done" | "lost" | "removed";

/** The rows that nobody may see, as whoever swaps knows them: what it made is without them. */
export type KnownRemovals = Pick<Removals, "id" | "at"> | null;

/** What follows a swap: objects to delete when their time has come, and perhaps the time at which a partition is to be sealed. */
export interface SwapFollowUp {
  readonly retired: readonly string[];
  readonly sealAt?: number | null;
}

/** Tries of one swap; each is a round trip, so a transaction under way at the head has ended by then. */
const TRIES = 8;

/** Keys in one retired item, at most: 64 characters each, packed, stay far below an item's 400 KB. */
const KEYS_PER_ITEM = 4_000;

/**
 * Makes the head name `next` for `entry` instead of `from`: puts the manifest, then one transaction of the head's update and the
 * retired item. Every answer may be lost, so any failure is resolved by reading the head. Deletes nothing when it fails.
 */
export const swap = async (
  parts: SwapParts,
  policy: Policy,
  project: number,
  entry: string,
  from: string | null,
  next: Manifest | StateManifest,
  removals: KnownRemovals,
  followUp: SwapFollowUp,
): Promise<SwapOutcome> => {
  const started = parts.clock.now();
  await putManifest(parts.objects, project, entry, next);
  const writes = swapWrites(parts, policy, project, entry, from, next.id, removals, followUp);
  for (let attempt = 1; ; attempt += 1) {
    if (parts.clock.now() - started > policy.swapWithinMs) return "lost";
    try {
      await parts.table.transact(writes);
      return "done";
    } catch (error) {
      const outcome = await readOutcome(parts, project, entry, from, next.id);
      if (outcome !== undefined) return outcome;
      if (error instanceof ConditionFailed) return "lost";
      if (!(error instanceof Conflict) || attempt === TRIES) throw error;
    }
  }
};

/** What the head says of a swap whose answer was no success; undefined while the head still names what it did. */
const readOutcome = async (
  parts: SwapParts,
  project: number,
  entry: string,
  from: string | null,
  to: string,
): Promise<SwapOutcome | undefined> => {
  const head = await readHead(parts.table, project);
  if (head.removedAt !== null) return "removed";
  const current = head.manifests[entry] ?? null;
  if (current === to) return "done";
  return current === from ? undefined : "lost";
};

const swapWrites = (
  parts: SwapParts,
  policy: Policy,
  project: number,
  entry: string,
  from: string | null,
  to: string,
  removals: KnownRemovals,
  { retired, sealAt }: SwapFollowUp,
): readonly Write[] => {
  const now = parts.clock.now();
  const writes = [renameWrite(project, entry, from, to, removals?.id ?? null)];
  const keys = from === null ? retired : [...retired, manifestKey(project, entry, from)];
  const until = now + retiredStay(policy, removals, now);
  for (let at = 0; at < keys.length; at += KEYS_PER_ITEM)
    writes.push(retireWrite(parts, project, now, keys.slice(at, at + KEYS_PER_ITEM), until));
  if (typeof sealAt === "number") writes.push(sealWrite(project, entry, sealAt));
  if (policy.publishEveryMs !== null) writes.push(publishWrite(project, now, policy.publishEveryMs));
  return writes;
};

/** How long what is replaced stays: where rows were removed less than a day ago, so long that their bytes are gone a day after that. */
export const retiredStay = ({ retiredStayMs, removedStayMs }: Policy, removals: KnownRemovals, now: number): number =>
  removals !== null && now - removals.at < retiredStayMs ? Math.min(retiredStayMs, removedStayMs) : retiredStayMs;

/** The item that has objects deleted once their time has come. */
export const retireWrite = (
  parts: Pick<SwapParts, "ids">,
  project: number,
  now: number,
  keys: Retirement["keys"],
  until: number,
): Write => {
  const sk = retiredSk(parts.ids.ulid());
  return {
    kind: "put",
    item: {
      pk: lakePk(project),
      sk,
      v: writtenVersion(CATALOGUE_FORMAT),
      at: now,
      keys: pack(keys),
      ...laterKeys(project, until, sk),
    },
  };
};

const sealWrite = (project: number, partition: string, at: number): Write => {
  const sk = sealSk(partition);
  return { kind: "put", item: { pk: lakePk(project), sk, v: writtenVersion(CATALOGUE_FORMAT), ...laterKeys(project, at, sk) } };
};

/** Slots of different projects end at different times. */
const SLOT_SHIFT_MS = 7_919;

/** The mark that what this slot of time changed is to be published: swaps of one slot write the same, whichever comes first or last. */
const publishWrite = (project: number, now: number, everyMs: number): Write => {
  const shift = (project * SLOT_SHIFT_MS) % everyMs;
  const slot = Math.floor((now + shift) / everyMs);
  const sk = publishSk(String(slot));
  const due = laterKeys(project, (slot + 1) * everyMs - shift, sk);
  return { kind: "put", item: { pk: lakePk(project), sk, v: writtenVersion(CATALOGUE_FORMAT), ...due } };
};
