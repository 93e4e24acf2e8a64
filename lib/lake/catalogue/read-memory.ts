import type { Table } from "../../ports/table.ts";

/** Something of a project as this process last read it; `readAt` in milliseconds. */
export interface Kept<T> {
  readonly value: T;
  readonly readAt: number;
}

/** What a process remembers of projects. Whoever asks decides for how long that is good. */
export interface ReadMemory<T> {
  kept(table: Table, project: number): Kept<T> | undefined;
  keep(table: Table, project: number, kept: Kept<T>): void;
}

/** One memory per table, so that two platforms in one process share nothing; a table's is emptied when it holds `capacity` projects. */
export const readMemory = <T>(capacity: number): ReadMemory<T> => {
  const memories = new WeakMap<Table, Map<number, Kept<T>>>();
  return {
    kept: (table, project) => memories.get(table)?.get(project),
    keep(table, project, kept) {
      const memory = memories.get(table) ?? new Map<number, Kept<T>>();
      memories.set(table, memory);
      memory.delete(project);
      if (memory.size >= capacity) memory.clear();
      memory.set(project, kept);
    },
  };
};
