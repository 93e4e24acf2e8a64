import type * as z from "zod";
import { ConditionFailed, Conflict, type Write } from "../ports/table.ts";
import type { Entity, KeyTemplate, Patterns } from "./entity.ts";
import { putting } from "./store.ts";
import { ABSENT } from "./transact.ts";

type VersionedSchema = z.ZodObject<{ version: z.ZodNumber }>;

/** The write of an item's next state, if the stored one is still the one that was read; version 0 stands for one that is not stored. */
export const nextVersion = <S extends VersionedSchema, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  next: z.output<S>,
): Write =>
  putting(
    of,
    { ...next, version: next.version + 1 },
    next.version === 0 ? ABSENT : { kind: "equals", attribute: "version", value: next.version },
  );

/** Makes a write that depends on a condition. False where somebody else was quicker. */
export const unlessOvertaken = async (write: () => Promise<unknown>): Promise<boolean> => {
  try {
    await write();
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed || error instanceof Conflict) return false;
    throw error;
  }
};
