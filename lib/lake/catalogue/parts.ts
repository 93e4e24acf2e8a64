import type { Ports } from "../../ports/ports.ts";
import type { RowFiles } from "../row-files.ts";

/** The parts that reading the catalogue needs. */
export type ReadParts = Pick<Ports, "table" | "objects" | "clock">;

/** The parts that changing it needs. */
export type SwapParts = ReadParts & Pick<Ports, "ids">;

/** The parts that compaction needs. */
export type CompactParts = SwapParts & { readonly rowFiles: RowFiles };
