import type { FieldBook } from "../../../lib/http/openapi.ts";

/** Fields that keys of either kind show. */
const KEY = {
  value: "The key itself, shown once by the call that made or rolled it; null otherwise.",
  id: "Id of the key, a UUID: it names the key and opens nothing.",
  label: "What the key is for, in the words of whoever made it.",
  mask_value: "First and last characters of the value, by which people recognize a key.",
  created_at: "When the key was made, ISO 8601 in UTC.",
  last_used_at: "When it was last used, exact to an hour; null when it never was.",
  last_rolled_at: "When it was last given another value; null when it never was.",
  scopes: "What the key opens: `object:read`, `object:write`, which includes reading, or `*` for all.",
};

/** Fields of the keys of people and of projects. */
export const KEY_FIELDS: FieldBook["schemas"] = {
  PersonalApiKey: {
    ...KEY,
    description: "More about the key; may be empty.",
    user_id: "Number of the user whose key it is and as whom it acts.",
    is_legacy_hashing: "Always false: every key is kept as a digest of the present kind.",
    scoped_teams: "Numbers of the projects that the key is restricted to; empty for all.",
    scoped_organizations: "Ids of the organizations that the key is restricted to; empty for all.",
    local_dev_value: "Always null: values are never kept, not on a laptop either.",
  },
  PersonalApiKeyWrite: {
    label: "What the key is for, at most 40 characters.",
    description: "More about the key, at most 1,000 characters.",
    scopes: "What the key shall open, such as `endpoint:read`; at least one, and none that your own key lacks.",
    scoped_teams: "Numbers of the projects that the key shall be restricted to; null or empty for all.",
    scoped_organizations: "Ids of the organizations that the key shall be restricted to; null or empty for all.",
  },
  ProjectSecretApiKey: KEY,
  ProjectSecretApiKeyWrite: {
    label: "What the key is for, at most 40 characters and unique in the project.",
    scopes: "What the key shall open: `endpoint:read`, `account:read` or `account:write`.",
  },
};
