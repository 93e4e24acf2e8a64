import type { FileAccess } from "../../lib/ports/file-access.ts";

/** For worlds in which nobody fetches files past the platform. */
export const noFileAccess: FileAccess = { store: { bucket: "lake", region: "us-east-1" }, lend: async () => undefined };
