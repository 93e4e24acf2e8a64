import type { World } from "../world/world.ts";
import type { RowFiles } from "./row-files.ts";

/** What reading the catalogue needs. */
export type ReadParts = Pick<World, "table" | "objects" | "clock">;

/** What changing it needs. */
export type SwapParts = ReadParts & Pick<World, "ids">;

/** What compaction needs. */
export type CompactParts = SwapParts & { readonly rowFiles: RowFiles };
