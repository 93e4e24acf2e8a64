import { writtenVersion } from "../../core/formats.ts";
import { ConditionFailed, Conflict, type Write } from "../../ports/table.ts";
import type { SwapParts } from "../catalogue/parts.ts";
import { retiredStay, retireWrite } from "../catalogue/swap.ts";
import { CATALOGUE_FORMAT, type Removals } from "../catalogue.ts";
import { readHead, removalsWrite } from "../head.ts";
import { lakePk, laterKeys, REMOVALS_SK, removalsKey } from "../paths.ts";
import type { Policy } from "../policy.ts";
import { getRemovals, putRemovals } from "../removals.ts";

/** Races for the head that are tried again: each is won by somebody. */
const TRIES = 40;

/** Bytes of a project's salt. */
const SALT_BYTES = 16;

/** What a change makes of removals; the same ones where there is nothing to change. */
type Change = (removals: Removals) => Removals;

/**
 * Makes the head name changed removals: the object first, then one transaction with what reminds of them. From then on readers see none of
 * their rows among those that wait, and no swap succeeds that was made without knowing of them. `objects` are retired with what is replaced.
 */
export const changeRemovals = async (
  parts: SwapParts,
  policy: Policy,
  project: number,
  change: Change,
  objects: readonly string[] = [],
): Promise<Removals | "removed"> => {
  for (let attempt = 1; ; attempt += 1) {
    const head = await readHead(parts.table, project);
    if (head.removedAt !== null) return "removed";
    const known = head.removals === null ? none(parts) : await getRemovals(parts.objects, project, head.removals);
    if (known === undefined) continue;
    const changed = change(known);
    if (changed === known) return known;
    const next: Removals = { ...changed, id: parts.ids.ulid() };
    await putRemovals(parts.objects, project, next);
    try {
      await parts.table.transact(removalWrites(parts, policy, project, head.removals, next, objects));
      return next;
    } catch (error) {
      // Every answer may be lost: the head says how it ended.
      const { removals } = await readHead(parts.table, project);
      if (removals === next.id) return next;
      if (!(error instanceof ConditionFailed || error instanceof Conflict) || attempt === TRIES) throw error;
    }
  }
};

const none = ({ ids }: Pick<SwapParts, "ids">): Removals => ({
  ...{ v: 0, id: "", at: 0, erased: [], imports: [], before: null, open: [] },
  salt: Buffer.from(ids.secret(SALT_BYTES)).toString("hex"),
});

const removalWrites = (
  parts: SwapParts,
  policy: Policy,
  project: number,
  from: string | null,
  next: Removals,
  objects: readonly string[],
): readonly Write[] => {
  const now = parts.clock.now();
  const gone = from === null ? objects : [...objects, removalsKey(project, from)];
  const retired = gone.length === 0 ? [] : [retireWrite(parts, project, now, gone, now + retiredStay(policy, next, now))];
  // Whoever asked for what is open does it, unless they are cut off.
  const at = next.open.length > 0 ? now + policy.laterEveryMs : now;
  return [removalsWrite(project, from, next.id), reminder(project, next.id, at), ...retired];
};

/** Whoever sweeps asks for what is left to be done of these removals, at a time. */
export const reminder = (project: number, of: string, at: number): Write => ({
  kind: "put",
  item: {
    ...{ pk: lakePk(project), sk: REMOVALS_SK, v: writtenVersion(CATALOGUE_FORMAT), of },
    ...laterKeys(project, at, REMOVALS_SK),
  },
});
