import type { Source } from "../../../infra/cli/import/sources.ts";

/** A file in memory. */
export const memorySource = (name: string, content: string | Uint8Array): Source => {
  const bytes = Buffer.from(content);
  return { name, bytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
};
