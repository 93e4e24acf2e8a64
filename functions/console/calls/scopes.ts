// The scopes of keys, for the console. Made and held to the platform's own as `api.d.ts` is.

/** What a personal key can have, beside `*`. */
export const SCOPES = [
  "account:read",
  "account:write",
  "activity_log:read",
  "activity_log:write",
  "billing:read",
  "billing:write",
  "dashboard:read",
  "dashboard:write",
  "endpoint:read",
  "endpoint:write",
  "error_tracking:read",
  "error_tracking:write",
  "event_definition:read",
  "event_definition:write",
  "integration:read",
  "integration:write",
  "llm_gateway:read",
  "llm_gateway:write",
  "organization:read",
  "organization:write",
  "organization_member:read",
  "organization_member:write",
  "person:read",
  "person:write",
  "personal_api_key:read",
  "personal_api_key:write",
  "project:read",
  "project:write",
  "property_definition:read",
  "property_definition:write",
  "query:read",
  "query:write",
  "user:read",
  "user:write",
] as const;

/** What a secret key of a project can have. */
export const SECRET_KEY_SCOPES = [
  "account:read",
  "account:write",
  "endpoint:read",
] as const;
