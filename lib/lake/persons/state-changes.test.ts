import { expect, it } from "vitest";
import { derivePersonId } from "../../event/identity.ts";
import { type Deltas, gatherDeltas } from "./deltas.ts";
import type { IdLog } from "./person-log.ts";
import { type StateLookup, stateChanges } from "./state-changes.ts";

const PROJECT = 7;
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

/** People of whom each, known before, is said to be the one id that they share, which is refused to all but the first. */
const identified = (from: number, to: number, source: string): Deltas => {
  const deltas = gatherDeltas();
  for (let user = from; user < to; user += 1) {
    const at = { time: BigInt(user), index: 0, uuid: "u" };
    const said = { id: `user-${user}`, merge: { kind: "identify" as const, source } };
    deltas.seen(said.id, { ...at, time: -1n });
    deltas.person({ at, ...said, set: null, setOnce: null, unset: null });
  }
  return deltas.take();
};

/** A state in memory, to which changes are applied, and which counts what it is asked. */
const aState = () => {
  const history = new Map<string, IdLog>();
  let asked = 0;
  const lookup: StateLookup = {
    logs: async (ids) => {
      asked += 1;
      return new Map([...ids].map((id) => [id, history.get(id)] as const).filter(isPresent));
    },
    tied: async () => {
      asked += 1;
      return history;
    },
    groups: async () => new Map(),
  };
  return {
    async say(deltas: Deltas) {
      asked = 0;
      const changes = await stateChanges(PROJECT, [deltas], lookup);
      for (const [id, log] of changes.history) if (log) history.set(id, log);
      return { changes, asked };
    },
  };
};

const isPresent = <T>(entry: readonly [string, T | undefined]): entry is readonly [string, T] => entry[1] !== undefined;

it("finds a long chain of merges with few look-ups, and all of it is one person", async () => {
  const state = aState();
  const whole = await state.say(chain(0, LINKS));
  expect(whole.changes.distinctIds.size).toBe(LINKS);
  const { changes, asked } = await state.say(chain(LINKS, LINKS + 1));
  expect(asked).toBeLessThan(20);
  const persons = [...changes.persons.values()].filter((row) => row !== null);
  expect(persons).toMatchObject([{ distinct_id: "id-1", properties: JSON.stringify({ last: LINKS }) }]);
});

it("writes of a person with many ids only those that come to it, and of people who share an id only whoever changed", async () => {
  const state = aState();
  await state.say(chain(0, LINKS));
  const longer = await state.say(chain(LINKS, LINKS + 1));
  expect([...longer.changes.distinctIds]).toEqual([[`id-${LINKS + 1}`, derivePersonId(PROJECT, "id-1")]]);

  const sharing = aState();
  await sharing.say(identified(0, 50, "shared"));
  const { changes } = await sharing.say(identified(50, 51, "shared"));
  expect([...changes.persons.values()].map((row) => row?.distinct_id).sort()).toEqual(["user-0", "user-50"]);
  expect(changes.distinctIds.size).toBe(0);
});
