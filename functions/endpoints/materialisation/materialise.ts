import type { Materialisable } from "../../../lib/endpoint/materialisation/materialisable.ts";
import { invalid } from "../../../lib/http/errors.ts";
import type { World } from "../../../lib/world/world.ts";

export type MaterialiseWorld = Pick<World, "table" | "queues" | "ids" | "clock" | "log">;

/** Why a query cannot have a table, with the project's types; null where it can. The language is loaded here. */
export const refusalOf = async (
  world: Pick<World, "table" | "clock">,
  project: { readonly id: number; readonly timezone: string },
  wanted: Materialisable,
): Promise<string | null> => (await import("../../../lib/endpoint/materialisation/transform-for.ts")).refusalOf(world, project, wanted);

export const cannotMaterialise = (reason: string) => invalid(null, `Cannot materialize endpoint. Reason: ${reason}`);

/** Refuses a table for an endpoint that is not active, which has none. */
export const checkActive = (isActive: boolean): void => {
  if (!isActive) throw invalid("is_materialized", "An inactive endpoint has no table. Activate it first, or in the same request.");
};
