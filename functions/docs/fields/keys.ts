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

/** Fields that a personal key shows, the key of the call included. */
const PERSONAL_KEY = {
  ...KEY,
  description: "More about the key; may be empty.",
  user_id: "Number of the user whose key it is and as whom it acts.",
  is_legacy_hashing: "Always false: every key is kept as a digest of the present kind.",
  scoped_teams: "Numbers of the projects that the key is restricted to; empty for all.",
  scoped_organizations: "Ids of the organizations that the key is restricted to; empty for all.",
  local_dev_value: "Always null: values are never kept, not on a laptop either.",
};

/** Fields of the keys of people and of projects. */
export const KEY_FIELDS: FieldBook["schemas"] = {
  PersonalApiKey: PERSONAL_KEY,
  CurrentPersonalApiKey: {
    ...PERSONAL_KEY,
    value: "Always null: whoever asks has the key.",
    user: "Whose key it is and as whom it acts.",
    "user.id": "Number of the user in this deployment.",
    "user.uuid": "Id of the user that never changes.",
    "user.first_name": "Given name; may be empty.",
    "user.last_name": "Family name; may be empty.",
    "user.email": "Address with which the user was invited.",
    organizations:
      "The organizations that the key reaches, those of its projects where it is restricted to some, in the order in which its user joined them.",
    "organizations.id": "Id of the organization, a UUID that never changes.",
    "organizations.name": "Name of the organization for people.",
    "organizations.slug": "Short name for addresses, unique in the deployment.",
    "organizations.membership_level": "What the key's user is in it: 1 member, 8 admin, 15 owner.",
    "organizations.level": "The same as a word.",
    projects: "The projects that the key reaches, those of one organization together.",
    "projects.id": "Number of the project, as it stands in paths.",
    "projects.name": "Name of the project for people.",
    "projects.organization_id": "Id of the organization that the project belongs to.",
    "projects.api_token": "The project's public token (phc_…), with which events are sent.",
    "projects.timezone": "Time zone in which days begin, such as `Europe/Berlin`.",
    ingest_url: "Address to which SDKs of these projects send events, without a final slash.",
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
