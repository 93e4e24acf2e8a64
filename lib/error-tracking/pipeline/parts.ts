import type { Ports } from "../../ports/ports.ts";

/** The ports that the pipeline uses. */
export type TrackingParts = Pick<Ports, "table" | "objects" | "clock" | "ids" | "log">;
