import type { Ports } from "../../ports/ports.ts";
import type { RowFiles } from "../row-files.ts";

/** What reading the catalogue needs. */
export type ReadParts = Pick<Ports, "table" | "objects" | "clock">;

/** What changing it needs. */
export type SwapParts = ReadParts & Pick<Ports, "ids">;

/** What compaction needs. */
export type CompactParts = SwapParts & { readonly rowFiles: RowFiles };
