import type { Table } from "../ports/table.ts";
import { decode } from "../table/entity.ts";
import { keyItemOf } from "./credential.ts";
import { type PersonalApiKey, PersonalApiKeys } from "./personal-api-keys.ts";
import { type ProjectSecretKey, ProjectSecretKeys } from "./project-secret-keys.ts";
import { type TeamSecretToken, TeamSecretTokens } from "./team-secret-tokens.ts";

/** Whatever secret a caller can present. */
export type Credential =
  | { readonly kind: "personal"; readonly key: PersonalApiKey }
  | { readonly kind: "secret"; readonly key: ProjectSecretKey }
  | { readonly kind: "team"; readonly key: TeamSecretToken };

/** The credential with this value, or undefined: one consistent read, so that a key works from the moment it is shown and a revoked one stops. */
export const findCredential = async (table: Table, value: string): Promise<Credential | undefined> => {
  const stored = await table.get(keyItemOf(value), { consistent: true });
  switch (stored?.entity) {
    case PersonalApiKeys.name:
      return { kind: "personal", key: decode(PersonalApiKeys, stored) };
    case ProjectSecretKeys.name:
      return { kind: "secret", key: decode(ProjectSecretKeys, stored) };
    case TeamSecretTokens.name:
      return { kind: "team", key: decode(TeamSecretTokens, stored) };
    default:
      return undefined;
  }
};
