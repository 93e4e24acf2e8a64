import type { FieldBook } from "../../../lib/http/openapi.ts";

/** Fields of schemas that every area sends. */
export const SHARED_FIELDS: FieldBook["schemas"] = {
  PaginatedList: {
    count: "How many there are in all pages together.",
    next: "Address of the next page; null on the last one.",
    previous: "Address of the page before; null on the first one.",
    results: "The entries of this page, in the order of the list.",
  },
  PaginatedEndpointLogEntryList: {
    count: "How many of the entries that were looked through fit the question; older ones may follow on the next page.",
    next: "Address that goes on with older entries; null when there are none.",
    previous: "Always null: a log is read backwards only.",
    results: "The entries of this page, the newest first.",
  },
  UserSummary: {
    id: "Number of the user in this deployment.",
    uuid: "Id of the user that never changes.",
    distinct_id: "The id under which the user's own events are recorded.",
    first_name: "Given name; may be empty.",
    last_name: "Family name; may be empty.",
    email: "Address with which the user was invited.",
    is_email_verified: "Whether the user has shown that the address is theirs.",
    hedgehog_config: "Appearance settings that some user interfaces keep with a user; null when there are none.",
    role_at_organization: "What the user says they work as, such as `engineering`.",
  },
};
