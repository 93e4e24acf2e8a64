import type { World } from "../../../lib/app/world.ts";
import type { Materialisable } from "../../../lib/endpoints/materialisation/materialisable.ts";
import { invalid } from "../../../lib/http/errors.ts";

export type MaterialiseWorld = Pick<World, "table" | "queues" | "ids" | "clock" | "log">;

/** Why a query cannot have a table, with the project's types; null where it can. The language is loaded here. */
export const refusalOf = async (
  world: Pick<World, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  wanted: Materialisable,
): Promise<string | null> => (await import("../../../lib/endpoints/materialisation/transform-for.ts")).refusalOf(world, project, wanted);

export const cannotMaterialise = (reason: string) => invalid(null, `Cannot materialize endpoint. Reason: ${reason}`);

/** Refuses a table for an endpoint that is not active, which has none. */
export const checkActive = (isActive: boolean): void => {
  if (!isActive) throw invalid("is_materialized", "An inactive endpoint has no table. Activate it first, or in the same request.");
};
