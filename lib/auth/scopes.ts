import { SCOPE_ACTIONS, type Scope } from "../keys/scopes.ts";

const [READ, WRITE] = SCOPE_ACTIONS;

/** The first of the needed scopes that a key lacks. `write` includes `read`; `*` includes everything, and no scope opens nothing. */
export const missingScope = (held: readonly string[], needed: readonly Scope[]): Scope | undefined =>
  needed.find((scope) => !held.includes("*") && !held.includes(scope) && !held.includes(writing(scope)));

const writing = (scope: Scope): string => scope.replace(`:${READ}`, `:${WRITE}`);
