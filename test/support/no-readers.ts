import type { World } from "../../lib/app/world.ts";

/** A platform whose published tables nobody reads. */
export const noReaders: Pick<World, "fileAccess" | "tableRegistry"> = {
  fileAccess: { store: { region: "us-east-1" }, vend: async () => undefined },
  tableRegistry: { isConfigured: false, register: async () => undefined, forget: async () => undefined },
};
