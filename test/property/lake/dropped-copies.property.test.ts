import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { EventRow } from "../../../lib/event/event.ts";
import { derivePersonId } from "../../../lib/event/identity.ts";
import { audit } from "../../../lib/lake/audit.ts";
import { commitDrain } from "../../../lib/lake/commit.ts";
import { compact } from "../../../lib/lake/compact.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { currentRows } from "../../../lib/lake/persons/state-merge.ts";
import type { StateKind, StateRow } from "../../../lib/lake/persons/state-rows.ts";
import { pin, planEvents } from "../../../lib/lake/pin.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import type { RowChange } from "../../../lib/lake/rows.ts";
import { sweep, sweepMemory } from "../../../lib/lake/sweep.ts";
import { organizationOfProject } from "../../../lib/projects/projects.ts";
import { memoryRowFiles, readRows, rowLists } from "../../simulation/ports/row-files.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { type Happening, inOrder, sortedText } from "../../support/person-model.ts";
import { anEventRow, countRows } from "../../support/samples/event-rows.ts";

const PROJECT = 7;
const DAY_US = 86_400_000_000;
const PARTITIONS = ["2025-06", "2025-07"];
/** The first days of two months: two partitions. */
const DAYS = [20_240, 20_270];
const POLICY = { ...POLICIES.local, rewriteMinRows: 4, fileRows: 4, tierFiles: 2 };
const SIZES = { entries: 6, bytes: 2_000, layers: 2, fileRows: 50_000 };

/** A copy of one of a few events: whatever does not decide its identity may differ. */
interface Copy extends Happening {
  readonly request: string;
  readonly created: number;
  readonly full: boolean;
}

const values = fc.option(fc.dictionary(fc.constantFrom("x", "y"), fc.integer({ min: 0, max: 9 }), { maxKeys: 2 }));

const aCopy: fc.Arbitrary<Copy> = fc
  .record({
    event: fc.integer({ min: 0, max: 5 }),
    within: fc.integer({ min: 0, max: 3 }),
    index: fc.integer({ min: 0, max: 2 }),
    created: fc.integer({ min: 0, max: 2 }),
    request: fc.constantFrom("a", "b", "c"),
    full: fc.boolean(),
    merge: fc.option(
      fc.record({
        kind: fc.constantFrom("identify" as const, "alias" as const, "merge_dangerously" as const),
        source: fc.constantFrom("0", "1", "2"),
      }),
    ),
    set: values,
    setOnce: values,
    unset: fc.option(fc.subarray(["x", "y"], { minLength: 1 }), { freq: 4 }),
    group: fc.option(fc.record({ key: fc.constantFrom("g", "h"), set: fc.dictionary(fc.constantFrom("x", "y"), fc.nat(9)) }), { freq: 3 }),
  })
  .map(({ event, within, ...copy }): Copy => {
    const id = String(event % 3);
    const time = (DAYS[event % 2] ?? 0) * DAY_US + within;
    return { ...copy, id, time, uuid: uuidOf(event), merge: copy.merge?.source === id ? null : copy.merge };
  });

const uuidOf = (event: number): string => `00000000-0000-7000-8000-00000000000${event}`;

/** What one request says at one place is said once, and is the same in every delivery. */
const sameDelivery = ({ request, index, created, uuid }: Pick<Copy, "request" | "index" | "created" | "uuid">): string =>
  `${request} ${index} ${created} ${uuid}`;

const history = fc
  .uniqueArray(aCopy, { minLength: 1, maxLength: 14, selector: sameDelivery })
  .chain((copies) => fc.array(fc.subarray(copies, { minLength: 1 }), { minLength: 1, maxLength: 5 }));

type Step = "wait" | "fold" | "2025-06" | "2025-07" | "audit";
const steps = fc.array(fc.constantFrom<Step>("wait", "fold", "2025-06", "2025-07", "audit"), { minLength: 12, maxLength: 12 });

const aLake = () => {
  let now = DAYS[1] ? (DAYS[1] + 2) * 86_400_000 : 0;
  let ulids = 0;
  const clock = { now: () => now++ };
  const ids = { uuid: () => "", ulid: () => String(ulids++).padStart(26, "0"), secret: () => new Uint8Array() };
  const table = memoryTable();
  const objects = memoryObjects();
  const lists = rowLists();
  const rowFiles = memoryRowFiles(objects, lists, { countUsage: countRows });
  const parts = { table, objects, clock, ids, rowFiles, segments: rowFiles };
  const asked: string[] = [];
  const queues = {
    send: async (_: string, messages: readonly { readonly body: string }[]) => {
      asked.push(...messages.map(({ body }) => body));
      return [];
    },
  };
  return {
    async drain(copies: readonly Copy[]) {
      const changes = new Map<EventRow, RowChange>();
      const rows = copies.map((copy) => {
        const row = rowOf(copy);
        if (copy.full) changes.set(row, changeOf(copy));
        return row;
      });
      await commitDrain(parts, { project: PROJECT, lane: "live", rows, changes });
    },
    async step(step: Step) {
      if (step === "fold") await fold(parts, POLICY, PROJECT, SIZES);
      else if (step === "audit") await audit(parts, POLICY, PROJECT);
      else if (step !== "wait") await compact(parts, POLICY, { project: PROJECT, partition: step, upTo: "~", seal: false });
    },
    /** Sweeps a minute later and says which folds that asks for. */
    async sweep() {
      asked.length = 0;
      now += 60_000;
      await sweep(
        { ...parts, organizationOf: organizationOfProject(parts.table), queues, log: { line: () => undefined } },
        POLICY,
        sweepMemory(),
      );
      return asked.filter((body) => body.includes('"fold"'));
    },
    /** Until everything is gathered and folded. */
    async settle() {
      for (const partition of PARTITIONS) await this.step(partition as Step);
      for (let more = 1; more > 0; ) more = (await fold(parts, POLICY, PROJECT, SIZES)).left;
    },
    /** The rows that count, as a reader finds them. */
    async rows() {
      const pinned = await pin(parts, PROJECT, null, { events: true, state: false });
      const plan = planEvents(pinned, { from: null, to: null, events: null, distinctIds: null });
      const duplicates = await rowFiles.duplicates(PROJECT, plan.waiting, plan.files);
      const rows: EventRow[] = [];
      for (const file of [...plan.files, ...plan.waiting]) {
        const skip = new Set(duplicates.get(file.key));
        rows.push(...(await readRows(objects, lists, file)).filter((_, place) => !skip.has(place)));
      }
      return rows;
    },
    async people() {
      const pinned = await pin(parts, PROJECT, null, { events: false, state: true });
      const all = async <K extends StateKind>(kind: K): Promise<StateRow<K>[]> => {
        const rows: StateRow<K>[] = [];
        for await (const row of currentRows(objects, kind, pinned.state?.[kind] ?? [])) rows.push(row);
        return rows;
      };
      const persons = (await all("persons")).flatMap(([, row]) => (row ? [row] : []));
      const roots = new Map(persons.map(({ distinct_id }) => [derivePersonId(PROJECT, distinct_id), distinct_id]));
      return {
        persons: persons.map(({ distinct_id, ...row }) => [distinct_id, row] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
        distinctIds: (await all("distinctIds")).map(([id, person]) => [id, roots.get(person ?? "") ?? person]),
        groups: (await all("groups")).flatMap(([, log]) =>
          log
            ? [
                [
                  log.key,
                  {
                    created_at: log.createdAt,
                    updated_at: log.updatedAt,
                    properties: sortedText(Object.fromEntries([...log.properties].map(([name, { value }]) => [name, value]))),
                  },
                ],
              ]
            : [],
        ),
      };
    },
  };
};

const rowOf = ({ uuid, id, time, created, request, index, full }: Copy): EventRow =>
  anEventRow({
    uuid,
    distinct_id: id,
    person_id: derivePersonId(PROJECT, id),
    timestamp: BigInt(time),
    created_at: BigInt(created),
    request,
    index: index ?? 0,
    person_mode: full ? "full" : "propertyless",
  });

const changeOf = ({ merge, set, setOnce, unset, group }: Copy): RowChange => ({
  person: merge || set || setOnce || unset ? { merge, set, setOnce, unset } : null,
  group: group && { slot: 0, ...group },
});

/** What the rows that count did, in the words of the model. */
const counting = (rows: readonly EventRow[], drains: readonly (readonly Copy[])[]): readonly Happening[] => {
  const said = new Map(drains.flat().map((copy) => [sameDelivery(copy), copy]));
  return rows.flatMap((row) => {
    const copy = said.get(sameDelivery({ ...row, created: Number(row.created_at) }));
    return copy?.full ? [copy] : [];
  });
};

describe("persons and groups", () => {
  it("come from the rows that count, in whatever order drains with differing copies are gathered and folded", async () => {
    await fc.assert(
      fc.asyncProperty(history, steps, async (drains, moments) => {
        const lake = aLake();
        for (const [place, drain] of drains.entries()) {
          await lake.drain(drain);
          for (const step of moments.slice(2 * place, 2 * place + 2)) await lake.step(step);
        }
        await lake.settle();
        const wanted = inOrder(counting(await lake.rows(), drains));
        expect(await lake.people()).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it("are folded when their rows are gathered: only then is it decided which copies count", async () => {
    const lake = aLake();
    const copy: Copy = {
      ...{ request: "a", created: 0, full: true, time: (DAYS[0] ?? 0) * DAY_US, uuid: uuidOf(0), id: "0" },
      ...{ merge: null, set: { x: 1 }, setOnce: null, unset: null, group: null },
    };
    await lake.drain([copy, { ...copy, uuid: uuidOf(1), time: (DAYS[1] ?? 0) * DAY_US }]);
    await lake.step("2025-06");
    await lake.step("fold");
    expect(await lake.sweep()).toEqual([]);
    expect((await lake.people()).persons).toEqual([]);
    await lake.step("2025-07");
    expect(await lake.sweep()).toHaveLength(1);
    await lake.step("fold");
    expect((await lake.people()).persons).toHaveLength(1);
    expect(await lake.sweep()).toEqual([]);
  });
});
