import type { NamedMutation } from "./named-mutant.ts";

/** Safeguards that no test noticed the lack of once. Each of these changes has to be noticed. */
export const NAMED: readonly NamedMutation[] = [];
