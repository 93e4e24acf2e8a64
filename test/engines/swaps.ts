import { HOUR_MS } from "../../lib/core/time.ts";
import { readHead, STATE_ENTRY } from "../../lib/lake/catalogue.ts";
import { type Random, randomOf } from "../simulation/random.ts";
import { Accepted } from "./accepted.ts";
import type { Lake } from "./lake.ts";
import type { Expected } from "./same.ts";
import { foldedRows } from "./state.ts";
import { trafficOf } from "./traffic.ts";

/** A lake to which random things happen, and what its tables have to hold. */
export class RandomLake {
  readonly lake: Lake;
  readonly random: Random;
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
      if (random.chance(0.1) && (await lake.fold())) break;
      const partition = this.#partitions.shift();
      if (partition === undefined) await this.#arrive();
      else if (await lake.compact(partition)) break;
    }
    this.swaps += 1;
    await this.#accepted.gathered(lake);
    await lake.publish();
  }

  /** Time passes, events come, and some partitions get their turn. */
  async #arrive(): Promise<void> {
    const { lake, random } = this;
    lake.pass(random.int(1, 12) * HOUR_MS);
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

  /** Gathers and folds all that waits, and publishes it. */
  async settle(): Promise<void> {
    const { lake } = this;
    for (const partition of this.#accepted.waiting()) while (await lake.compact(partition)) this.swaps += 1;
    await this.#accepted.gathered(lake);
    while (await lake.fold()) this.swaps += 1;
    await lake.publish();
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
