import type * as z from "zod";
import type { Write } from "../ports/table.ts";
import type { Entity, KeyTemplate, Patterns } from "../table/entity.ts";
import { putting } from "../table/store.ts";
import { ABSENT } from "../table/transact.ts";

type VersionedSchema = z.ZodObject<{ version: z.ZodNumber }>;

/** The write of an item's next state, if the stored one is still the one that was read; version 0 stands for one that is not stored. */
export const replacing = <S extends VersionedSchema, K extends KeyTemplate, P extends Patterns>(
  of: Entity<S, K, P>,
  next: z.output<S>,
): Write =>
  putting(
    of,
    { ...next, version: next.version + 1 },
    next.version === 0 ? ABSENT : { kind: "equals", attribute: "version", value: next.version },
  );
