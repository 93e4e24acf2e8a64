import type { Ports } from "../../lib/ports/ports.ts";

/** A platform that starts no functions. */
export const noInvocations: Pick<Ports, "invocations"> = { invocations: { start: async () => false } };
