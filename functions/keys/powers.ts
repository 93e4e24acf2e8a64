import { permissionDenied } from "../../lib/http/errors.ts";
import type { PersonalApiKey } from "../../lib/keys/personal-api-keys.ts";
import { missingScope, SCOPES, type Scope } from "../../lib/keys/scopes.ts";

/** The scopes of a key, and where they hold. */
export type Powers = Pick<PersonalApiKey, "scopes" | "scoped_teams" | "scoped_organizations">;

/** Throws 403 unless whoever holds `own` may do all of `wanted` already: no key makes, shows or ends one that can do more. */
export const checkPowers = (own: Powers, wanted: Powers): void => {
  checkScopes(own, wanted.scopes);
  if (!isWithin(own.scoped_teams, wanted.scoped_teams) || !isWithin(own.scoped_organizations, wanted.scoped_organizations))
    throw permissionDenied("Your API key is restricted to projects or organizations, and the other one would not be.");
};

/** The part of it that is about scopes. */
export const checkScopes = (own: Powers, wanted: readonly string[]): void => {
  if (own.scopes.includes("*")) return;
  const beyond = wanted.find((scope) => !isScope(scope) || missingScope(own.scopes, [scope]) !== undefined);
  if (beyond !== undefined)
    throw permissionDenied(`Your API key does not have the scope '${beyond}', so it cannot give it to another key.`);
};

export const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** An empty restriction restricts nothing. */
const isWithin = <T>(own: readonly T[], wanted: readonly T[]): boolean =>
  own.length === 0 || (wanted.length > 0 && wanted.every((each) => own.includes(each)));
