import type { Ports } from "../../ports/ports.ts";

/** What the pipeline touches. */
export type TrackingParts = Pick<Ports, "table" | "clock" | "ids" | "log">;
