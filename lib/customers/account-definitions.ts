import * as z from "zod";
import { entity } from "../table/entity.ts";
import { within } from "../table/partitions.ts";

/** A role that users can have at an account, such as CSM. */
export const AccountRelationshipDefinition = z.object({
  id: z.guid(),
  project_id: z.int().positive(),
  name: z.string().min(1).max(200),
});
export type AccountRelationshipDefinition = z.output<typeof AccountRelationshipDefinition>;

export const AccountRelationshipDefinitions = entity({
  name: "account-relationship-definition",
  version: 1,
  schema: AccountRelationshipDefinition,
  key: within("project", "account-relationship#{name}", { project: "project_id" }),
  patterns: {},
});

export const CUSTOM_PROPERTY_TYPES = ["string", "number", "boolean", "datetime"] as const;

/** A property that every account of the project can have. */
export const CustomPropertyDefinition = z.object({
  id: z.guid(),
  project_id: z.int().positive(),
  name: z.string().min(1).max(200),
  type: z.enum(CUSTOM_PROPERTY_TYPES),
});
export type CustomPropertyDefinition = z.output<typeof CustomPropertyDefinition>;

export const CustomPropertyDefinitions = entity({
  name: "custom-property-definition",
  version: 1,
  schema: CustomPropertyDefinition,
  key: within("project", "account-property#{name}", { project: "project_id" }),
  patterns: {},
});
