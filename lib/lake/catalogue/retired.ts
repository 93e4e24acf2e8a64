import { pack, unpack } from "../../core/pack.ts";
import { HOUR_MS } from "../../core/time.ts";
import type { Ports } from "../../ports/ports.ts";
import { ConditionFailed, type Item, type Table, type Value } from "../../ports/table.ts";
import { lakePk, laterKeys, retiredSk } from "../paths.ts";
import type { Policy } from "../policy.ts";
import { mayBeNamed, readPublications } from "../published.ts";
import { currentRemovals, policyBeside } from "../removals.ts";

/** `waits`: a published snapshot may name some of it. `overdue`: it is time that this snapshot went. */
export type Forgotten = "done" | "waits" | "overdue";

/** What waits for a snapshot to go is looked at again so long after the snapshot's time is over, and then every so often. */
const LOOK_AGAIN_MS = 2 * HOUR_MS;

/**
 * Deletes what a swap retired, then the item that says so: a crash in between is repeated. What a published snapshot may name stays until
 * that is gone.
 */
export const forget = async (
  parts: Pick<Ports, "table" | "objects" | "clock">,
  policy: Policy,
  project: number,
  sk: string,
): Promise<Forgotten> => {
  const key = { pk: lakePk(project), sk };
  const item = await parts.table.get(key, { consistent: true });
  if (item === undefined) return "done";
  const [keys, at] = [retiredKeys(item), Number(item.at)];
  const now = parts.clock.now();
  const publications = policy.publishEveryMs === null ? [] : await readPublications(parts.table, project);
  const named = keys.filter((each) => mayBeNamed(publications, each, at, policy));
  const left = new Set(named);
  await parts.objects.remove(keys.filter((each) => !left.has(each)));
  if (named.length === 0) {
    await parts.table.remove(key);
    return "done";
  }
  const { snapshotStayMs } = policyBeside(policy, await currentRemovals(parts, project), publications);
  const over = at + snapshotStayMs + LOOK_AGAIN_MS;
  await keepItem(parts.table, item, { keys: pack(named), ...laterKeys(project, Math.max(over, now + LOOK_AGAIN_MS), sk) });
  return now < over ? "waits" : "overdue";
};

/** Looks again at what waits for snapshots to go: where rows were removed these go sooner than they were to when it was put off. */
export const forgetPutOff = async (parts: Pick<Ports, "table" | "objects" | "clock">, policy: Policy, project: number): Promise<void> => {
  const now = parts.clock.now();
  for await (const { sk, at } of retiredItems(parts.table, project))
    if (Number(at) + policy.retiredStayMs <= now) await forget(parts, policy, project, sk);
};

/** Unless the project's removal took it meanwhile. */
const keepItem = async (table: Table, { pk, sk }: Item, set: Readonly<Record<string, Value>>): Promise<void> => {
  try {
    await table.update({ pk, sk }, { set }, { kind: "present" });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
};

/** The keys of all objects that are retired and not deleted yet. */
export const readRetired = async (table: Table, project: number): Promise<readonly string[]> => {
  const keys: string[] = [];
  for await (const item of retiredItems(table, project)) keys.push(...retiredKeys(item));
  return keys;
};

async function* retiredItems(table: Table, project: number): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const page = await table.query({ pk: lakePk(project), sk: { prefix: retiredSk("") }, consistent: true, cursor });
    yield* page.items;
    cursor = page.cursor;
  } while (cursor !== null);
}

/** Only `swap` writes retired items, as a packed list of keys. */
const retiredKeys = (item: Item): readonly string[] => (item.keys instanceof Uint8Array ? (unpack(item.keys) as readonly string[]) : []);
