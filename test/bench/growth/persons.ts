import { commitItem } from "../../../lib/lake/catalogue/commits.ts";
import { CATALOGUE_FORMAT } from "../../../lib/lake/catalogue.ts";
import { fold } from "../../../lib/lake/fold-persons.ts";
import { deltaKey } from "../../../lib/lake/paths.ts";
import { gatherDeltas } from "../../../lib/lake/persons/deltas.ts";
import { storedDeltas } from "../../../lib/lake/persons/stored-deltas.ts";
import { POLICIES } from "../../../lib/lake/policy.ts";
import { memoryObjects } from "../../simulation/ports/objects.ts";
import { memoryTable } from "../../simulation/ports/table.ts";
import { cpuMs } from "../cpu.ts";

const PROJECT = 7;
const COMMIT_ENTRIES = 50_000;
const STEPS = 8;
const SECOND_US = 1_000_000n;

/** Processor seconds for each million new persons of whom a tenth sets properties: of the first folds, and of those onto what these left. */
export interface PersonCosts {
  readonly first: number;
  readonly later: number;
  /** Persons that there were before the later ones. */
  readonly persons: number;
}

/** Folds the persons of imports, one after the other, into the state of a project. */
export const measurePersons = async (): Promise<PersonCosts> => {
  let ids = 0;
  const ulid = (): string => String(ids++).padStart(26, "0");
  const parts = {
    ...{ table: memoryTable(), objects: memoryObjects(), clock: { now: () => 0 } },
    ids: { ulid, uuid: ulid, secret: () => new Uint8Array() },
  };
  const step = async (from: number): Promise<number> => {
    const deltas = gatherDeltas();
    for (let person = from; person < from + COMMIT_ENTRIES; person += 1) {
      const at = { time: BigInt(person) * SECOND_US, index: 0, uuid: `00000000-0000-7000-8000-${person.toString(16).padStart(12, "0")}` };
      const id = `person-${(person * 7_919) % (COMMIT_ENTRIES * STEPS)}`;
      deltas.seen(id, at);
      if (person % 10 === 0)
        deltas.person({ at, id, merge: null, set: { plan: "team", email: `${id}@example.com` }, setOnce: null, unset: null });
    }
    const stored = await storedDeltas(PROJECT, deltas.take(), () => deltaKey(PROJECT, ulid()));
    if (stored?.object) await parts.objects.put(stored.object.key, stored.object.bytes);
    await parts.table.put(
      commitItem(PROJECT, { v: CATALOGUE_FORMAT, id: ulid(), at: 0, lane: "historical", segments: [], deltas: stored?.ref ?? null }),
    );
    return cpuMs(async () => {
      for (let left = 1; left > 0; ) ({ left } = await fold(parts, POLICIES.deployed, PROJECT));
    });
  };
  const took: number[] = [];
  for (let at = 0; at < STEPS; at += 1) took.push(await step(at * COMMIT_ENTRIES));
  const perMillion = (some: readonly number[]): number =>
    some.reduce((sum, ms) => sum + ms, 0) / 1_000 / ((some.length * COMMIT_ENTRIES) / 1_000_000);
  return { first: perMillion(took.slice(0, STEPS / 2)), later: perMillion(took.slice(STEPS / 2)), persons: (STEPS / 2) * COMMIT_ENTRIES };
};
