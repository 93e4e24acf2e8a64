/** The scopes of keys. `object:write` includes `object:read`; `*` is everything that takes keys at all. */
const SCOPE_OBJECTS = [
  "account",
  "activity_log",
  "billing",
  "dashboard",
  "endpoint",
  "error_tracking",
  "event_definition",
  "integration",
  "llm_gateway",
  "organization",
  "organization_member",
  "person",
  "personal_api_key",
  "project",
  "property_definition",
  "query",
  "user",
] as const;
const SCOPE_ACTIONS = ["read", "write"] as const;

export type Scope = `${(typeof SCOPE_OBJECTS)[number]}:${(typeof SCOPE_ACTIONS)[number]}`;

export const SCOPES: readonly Scope[] = SCOPE_OBJECTS.flatMap((object) => SCOPE_ACTIONS.map((action): Scope => `${object}:${action}`));

/** The scopes that a project secret key may hold. */
export const SECRET_KEY_SCOPES = ["account:read", "account:write", "endpoint:read"] as const satisfies readonly Scope[];

/** The first of the needed scopes that a key lacks. `write` includes `read`; `*` includes everything, and no scope opens nothing. */
export const missingScope = (held: readonly string[], needed: readonly Scope[]): Scope | undefined =>
  needed.find((scope) => !held.includes("*") && !held.includes(scope) && !held.includes(writing(scope)));

const writing = (scope: Scope): string => scope.replace(":read", ":write");

/** The scope that reads what a scope writes. */
export const reading = (scope: Scope): Scope => SCOPES.find((each) => each === scope.replace(":write", ":read")) ?? scope;
