import { Defect } from "../core/unreachable.ts";
import type { Table, Write } from "../ports/table.ts";
import { keyIn } from "./partitions.ts";

/**
 * The next whole number of a named sequence, from 1 on. Never given twice; an answer that was lost leaves a gap.
 * It is one write on one item, which is good for about a thousand numbers a second.
 */
export const nextNumber = async (table: Table, sequence: string): Promise<number> => {
  const { last } = await table.update(keyIn("sequences", "sequence", { sequence }), { add: { last: 1 } });
  if (typeof last !== "number") throw new Defect(`the sequence ${sequence} holds no number`);
  return last;
};

/** The next whole number of a named sequence, from 1 on, and the write that takes it. */
export interface FreeNumber {
  readonly number: number;
  readonly taking: Write;
}

/**
 * The number that a sequence gives next, for a transaction that takes it together with what is numbered: so no number is left out. Of
 * transactions that take it at once one succeeds, and the others have to ask again.
 */
export const freeNumber = async (table: Table, sequence: string): Promise<FreeNumber> => {
  const key = keyIn("sequences", "sequence", { sequence });
  const last = (await table.get(key, { consistent: true }))?.last;
  if (last === undefined)
    return { number: 1, taking: { kind: "update", key, change: { add: { last: 1 } }, when: { kind: "lacks", attribute: "last" } } };
  if (typeof last !== "number") throw new Defect(`the sequence ${sequence} holds no number`);
  return {
    number: last + 1,
    taking: { kind: "update", key, change: { add: { last: 1 } }, when: { kind: "equals", attribute: "last", value: last } },
  };
};
