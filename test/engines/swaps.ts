import { HOUR_MS } from "../../lib/core/time.ts";
import type { EarnedProperty } from "../../lib/event/earned-properties.ts";
import { STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { readHead } from "../../lib/lake/head.ts";
import { type Random, randomOf } from "../simulation/random.ts";
import { Accepted } from "./accepted.ts";
import type { Lake, Release } from "./lake.ts";
import { OwnColumns } from "./own-columns.ts";
import type { Expected } from "./same.ts";
import { foldedRows } from "./state.ts";
import { LATE, NAMED, trafficOf } from "./traffic.ts";

/** How often another property is named before events come, and how much of the work an earlier release does. */
const NAMING = 0.3;
const EARLIER = 0.25;

/** A lake to which random things happen, and what its tables have to hold. */
export class RandomLake {
  readonly lake: Lake;
  readonly random: Random;
  readonly columns = new OwnColumns();
  readonly #accepted = new Accepted();
  readonly #next: ReturnType<typeof trafficOf>;
  #partitions: string[] = [];
  /** Swaps so far, those of persons among them. */
  swaps = 0;

  constructor(lake: Lake, seed: number) {
    this.lake = lake;
    this.random = randomOf(seed);
    this.#next = trafficOf(this.random, lake.project, lake.organizationId);
  }

  /** Publishes the first rows, so that there is something to attach to. */
  async begin(): Promise<void> {
    await this.ingest();
    await this.settle();
  }

  /** Goes on until something was swapped, and publishes that. */
  async swap(): Promise<void> {
    const { lake, random } = this;
    for (;;) {
      if (random.chance(0.25) && (await lake.fold(this.#release()))) break;
      const partition = this.#partitions.shift();
      if (partition === undefined) await this.#arrive();
      else if (await lake.compact(partition, this.#release())) break;
    }
    this.swaps += 1;
    await this.#accepted.gathered(lake);
    await this.#publish();
  }

  #release(): Release {
    return this.random.chance(EARLIER) ? "an earlier one" : "this release";
  }

  async #publish(): Promise<void> {
    await this.lake.publish();
    await this.columns.look(this.lake);
  }

  /** Time passes, events come, and some partitions get their turn. */
  async #arrive(): Promise<void> {
    const { lake, random } = this;
    lake.pass(random.int(1, 12) * HOUR_MS);
    if (random.chance(NAMING)) await lake.earn(random.pick<EarnedProperty>(NAMED));
    for (let left = random.int(0, 3); left > 0; left -= 1) await this.ingest();
    const { manifests } = await readHead(lake.world.table, lake.project);
    const known = Object.keys(manifests).filter((entry) => entry !== STATE_ENTRY);
    const all = [...new Set([...this.#accepted.waiting(), ...known])].sort();
    this.#partitions = all.filter(() => random.chance(0.5));
  }

  async ingest(): Promise<void> {
    const { deliveries, lane } = this.#next(this.lake.now());
    await this.lake.ingest(deliveries, lane);
    await this.#accepted.take(this.lake);
  }

  /** Names properties whose columns files lack until a day has passed, and leaves layers of persons with these and with none. */
  async differ(): Promise<void> {
    for (const property of LATE) await this.lake.earn(property);
    for (const release of ["this release", "an earlier one"] as const) {
      await this.ingest();
      if (await this.lake.fold(release)) this.swaps += 1;
    }
  }

  /** Gathers and folds all that waits, and publishes it. */
  async settle(): Promise<void> {
    const { lake } = this;
    for (const partition of this.#accepted.waiting()) while (await lake.compact(partition)) this.swaps += 1;
    await this.#accepted.gathered(lake);
    while (await lake.fold()) this.swaps += 1;
    await this.#publish();
  }

  events(): Expected {
    return { table: "events", rows: [...this.#accepted.rows.values()] };
  }

  async state(): Promise<readonly Expected[]> {
    const { persons, person_distinct_ids } = await foldedRows(this.lake);
    return [
      { table: "persons", rows: persons },
      { table: "person_distinct_ids", rows: person_distinct_ids },
    ];
  }
}
