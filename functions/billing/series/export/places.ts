import type { World } from "../../../../lib/app/world.ts";
import { throttled } from "../../../../lib/http/errors.ts";
import { type Condition, ConditionFailed } from "../../../../lib/ports/table.ts";
import { TTL_ATTRIBUTE } from "../../../../lib/table/layout.ts";
import { keyIn } from "../../../../lib/table/partitions.ts";

/** Files that one person may have made at once. */
const PLACES = 3;

/** A place whose holder was cut off is free after this: no request lasts longer. */
const HELD_MS = 60_000;

const SECOND_MS = 1_000;

/** What makes a file holds one of its caller's places meanwhile. Throws 429 where none is free. */
export const inPlace = async <T>(world: Pick<World, "table" | "clock">, user: number, work: () => Promise<T>): Promise<T> => {
  const place = await take(world, user);
  try {
    return await work();
  } finally {
    await give(world, user, place);
  }
};

interface ExportSlot {
  readonly name: string;
  readonly until: number;
}

const keyOf = (user: number) => keyIn("throttle", "throttle", { kind: "user", who: String(user), rate: "downloads" });

const take = async ({ table, clock }: Pick<World, "table" | "clock">, user: number): Promise<ExportSlot> => {
  const now = clock.now();
  const until = now + HELD_MS;
  for (let at = 0; at < PLACES; at += 1) {
    const name = `place_${at}`;
    const free: Condition = {
      kind: "any",
      of: [
        { kind: "lacks", attribute: name },
        { kind: "less", attribute: name, value: now },
      ],
    };
    const set = { entity: "throttle", v: 1, [name]: until, [TTL_ATTRIBUTE]: Math.ceil(until / SECOND_MS) };
    if (await holds(() => table.update(keyOf(user), { set }, free))) return { name, until };
  }
  throw throttled(1);
};

/** A place that somebody else has got meanwhile stays theirs. */
const give = async ({ table }: Pick<World, "table">, user: number, { name, until }: ExportSlot): Promise<void> => {
  await holds(() => table.update(keyOf(user), { remove: [name] }, { kind: "equals", attribute: name, value: until }));
};

const holds = async (write: () => Promise<unknown>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
};
