import { readFileSync } from "node:fs";
import { objectFile } from "../../infra/local/stores/store-names.ts";
import { readFooter } from "../../lib/lake/parquet.ts";
import { readPublication } from "../../lib/lake/published.ts";
import { readNewest } from "../support/iceberg/read-table.ts";
import { TABLES, type TableName } from "./columns.ts";
import type { Lake } from "./lake.ts";

/** What the files of a snapshot may differ in beside the columns that their table shows. */
const MIXTURES = {
  "events with quarters of an hour and without": ["events", (file) => file.has("quarter_hour"), (file) => !file.has("quarter_hour")],
  "events with columns of properties and without": ["events", (file) => isEarned(file), (file) => !isEarned(file)],
  "persons with columns of properties and without": ["persons", (file) => isEarned(file), (file) => !isEarned(file)],
  "persons with columns of properties in a layer that replaces rows": ["persons", (file) => isEarned(file) && file.has("gone"), () => true],
} as const satisfies Record<string, readonly [TableName, ...((file: OwnFile) => boolean)[]]>;

/** Tables whose files have to have different sets of columns of properties beside each other. */
const DIFFERENT = ["events", "persons"] as const satisfies readonly TableName[];

/** A file, by what its own footer says. */
interface OwnFile {
  readonly earned: readonly string[];
  has(column: string): boolean;
}

const isEarned = ({ earned }: OwnFile): boolean => earned.length > 0;

/**
 * Whether the files that engines read really have columns which their tables do not show, and differ in them. Reads the published snapshots,
 * and the footers of the files that they name; what the lake's catalogue says of the files is not asked.
 */
export class OwnColumns {
  readonly #files = new Map<string, OwnFile>();
  readonly #seen = new Map<string, number>();
  #newest: string[] = [];

  /** Notes what the files of the newest snapshots are; to be called after each publication that is read. */
  async look(lake: Lake): Promise<void> {
    const { world, project } = lake;
    const path = objectFile(lake.storeDirectory);
    this.#newest = [];
    const get = (key: string): Uint8Array => readFileSync(path(key));
    for (const table of DIFFERENT) {
      const published = await readPublication(world.table, project, table);
      if (published === undefined) throw new Error(`no ${table} are published`);
      const files = readNewest(get, published.metadata).files.map(({ key }) => this.#file(key, get, table));
      for (const [name, [of, ...kinds]] of Object.entries(MIXTURES))
        if (of === table && kinds.every((is) => files.some(is))) this.#note(name);
      if (new Set(files.filter(isEarned).map(({ earned }) => earned.join())).size > 1) this.#note(differing(table));
    }
  }

  /** In how many of the snapshots there was each mixture that there has to be. */
  counts(): readonly (readonly [mixture: string, snapshots: number])[] {
    return [...Object.keys(MIXTURES), ...DIFFERENT.map(differing)].map((name) => [name, this.#seen.get(name) ?? 0]);
  }

  /** The mixtures of the newest snapshots. */
  newest(): readonly string[] {
    return this.#newest;
  }

  #note(mixture: string): void {
    this.#newest.push(mixture);
    this.#seen.set(mixture, (this.#seen.get(mixture) ?? 0) + 1);
  }

  #file(key: string, get: (key: string) => Uint8Array, table: TableName): OwnFile {
    const known = this.#files.get(key) ?? fileOf(get(key), table);
    this.#files.set(key, known);
    return known;
  }
}

const differing = (table: TableName): string => `${table} with different columns of properties`;

const fileOf = (bytes: Uint8Array, table: TableName): OwnFile => {
  const length = Buffer.from(bytes).readUInt32LE(bytes.length - 8);
  const columns = readFooter(bytes.subarray(bytes.length - 8 - length, bytes.length - 8)).schema.slice(1);
  const shown = new Set<string>(TABLES[table].map(({ name }) => name));
  const own = new Set(columns.map(({ name }) => name).filter((name) => !shown.has(name)));
  return {
    earned: [...own].filter((name) => name.startsWith("earned_")).sort(),
    has: (column) => own.has(column),
  };
};
