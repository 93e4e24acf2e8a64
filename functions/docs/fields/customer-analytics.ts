import type { FieldBook } from "../../../lib/http/openapi.ts";

/** Fields that an account shows alone and in lists. */
const ACCOUNT = {
  external_id: "The key of the group that the account is, as events name it.",
  name: "Name of the account: the group's `name`, or its key where it has none.",
  churned_at: "When the customer left, ISO 8601 in UTC; null while it has not.",
  ignored_at: "When somebody decided to leave the account out of lists, ISO 8601 in UTC; null otherwise.",
};

const EXTERNAL_ID = "The key of the group that is meant, at most 400 characters.";

/** Fields of accounts as other systems read and change them. */
export const ACCOUNT_FIELDS: FieldBook["schemas"] = {
  ExternalAccount: {
    ...ACCOUNT,
    id: "Id of the account, a UUID that never changes.",
    properties: "Ids of the account in other systems, by name; null where it has none.",
    tags: "Tags of the account, in order of the alphabet.",
    relationships: "Who is assigned at present, by the name of the relationship; those without anybody are left out.",
    "relationships.user_id": "Number of the user who is assigned.",
    "relationships.email": "Address of the user who is assigned.",
    custom_properties: "A value for every custom property of the project, by its name; null where none is set.",
  },
  ExternalAccountRow: {
    ...ACCOUNT,
    relationships: "Current members of the organization who are assigned, by the name of the relationship.",
    "relationships.user_id": "Number of the user who is assigned.",
    "relationships.email": "Address of the user who is assigned.",
    "relationships.name": "Given and family name of the user; null when both are empty.",
  },
  ExternalAccountListPage: {
    results: "The accounts of this page, in the order of their ids.",
    next_cursor: "The `cursor` of the next page; null on the last one.",
  },
  ExternalAccountError: { error: "What is wrong and what to do about it, in a sentence." },
  ExternalAccountListValidationError: { error: "The sentences that say what is wrong, by the name of the parameter." },
  ExternalAccountCreate: { external_id: EXTERNAL_ID },
  ExternalAccountUpdate: {
    external_id: EXTERNAL_ID,
    relationships: "Whom to assign, by the id of the relationship's definition, which `admin apply` prints; null ends the assignment.",
    "relationships.type": "Always `user`: only people can be assigned.",
    "relationships.id": "Number of the user to assign, a member of the organization.",
    tags: "Tags to add, to take away or to have, as `tags_mode` says.",
    tags_mode: "What to do with `tags`: `add` them to those there are (the default), `set` exactly these, or `remove` them.",
    churned_at: "When the customer left, ISO 8601; null for a customer who is back.",
  },
  ExternalAccountValues: {
    external_id: EXTERNAL_ID,
    properties: "The values to set, by the id of the property's definition, which `admin apply` prints; null takes a value away.",
  },
  ExternalAccountValuesSet: {
    external_id: "The key of the group whose values were set.",
    values: "The values that hold now, of the properties that were named.",
    "values.definition_id": "Id of the property's definition, a UUID.",
    "values.value": "The value as it is stored; null where there is none.",
  },
};
