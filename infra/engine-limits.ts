import type { Sizing } from "./sizing.ts";

const MIB = 1024 * 1024;
/** Of a function's disk, what the engine's files and spills may take; the rest is for the bundle's own. */
const ENGINE_DISK_SHARE = 0.9;
/** Of a function's memory, what the engine may take; the rest is the runtime's and the rows' of a reply. */
const ENGINE_MEMORY_SHARE = 0.5;

/** What the engine may take of a function. */
export const engineLimits = ({
  memoryMb,
  diskMb = 512,
}: Pick<Sizing, "memoryMb" | "diskMb">): { readonly engineMemoryMb: number; readonly engineDiskBytes: number } => ({
  engineMemoryMb: Math.floor(ENGINE_MEMORY_SHARE * memoryMb),
  engineDiskBytes: Math.floor(ENGINE_DISK_SHARE * diskMb) * MIB,
});
