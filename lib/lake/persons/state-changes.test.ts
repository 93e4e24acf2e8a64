import { expect, it } from "vitest";
import { type Deltas, gatherDeltas } from "./deltas.ts";
import type { IdLog } from "./person-log.ts";
import { stateChanges } from "./state-changes.ts";

const LINKS = 2_000;

const chain = (from: number, to: number): Deltas => {
  const deltas = gatherDeltas();
  for (let link = from; link < to; link += 1) {
    const at = { time: BigInt(link), index: 0, uuid: "u" };
    deltas.seen(`id-${link + 1}`, at);
    const merge = { kind: "merge_dangerously" as const, source: `id-${link}` };
    deltas.person({ at, id: `id-${link + 1}`, merge, set: { last: link }, setOnce: null, unset: null });
  }
  return deltas.take();
};

it("finds a long chain of merges with few look-ups, and all of it is one person", async () => {
  const history = new Map<string, IdLog>();
  let asked = 0;
  const state = {
    logs: async (ids: ReadonlySet<string>) => {
      asked += 1;
      return new Map([...ids].flatMap((id) => [...(history.has(id) ? [[id, history.get(id)] as const] : [])]).filter(isPresent));
    },
    tied: async () => {
      asked += 1;
      return history;
    },
    groups: async () => new Map(),
  };
  for (const [id, log] of (await stateChanges(7, [chain(0, LINKS)], state)).history) if (log) history.set(id, log);
  asked = 0;
  const changes = await stateChanges(7, [chain(LINKS, LINKS + 1)], state);
  expect(asked).toBeLessThan(20);
  const persons = [...changes.persons.values()].filter((row) => row !== null);
  expect(persons).toMatchObject([{ distinct_id: "id-1", properties: JSON.stringify({ last: LINKS }) }]);
  expect(changes.distinctIds.size).toBe(LINKS + 1);
});

const isPresent = <T>(entry: readonly [string, T | undefined]): entry is readonly [string, T] => entry[1] !== undefined;
