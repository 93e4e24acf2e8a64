import * as z from "zod";
import type { BoundedList } from "../table/bounded-list.ts";
import { entity } from "../table/entity.ts";
import { countThrough } from "../table/paging.ts";
import { counterKey, within } from "../table/partitions.ts";

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

/** Definitions of each kind that one project has: whoever changes an account reads all of them. */
const MOST_DEFINITIONS = 200;

/** The relationship definitions of a project. */
export const relationshipsOfProject = (project: number): BoundedList => ({
  counter: counterKey("relationshipCount", project),
  most: MOST_DEFINITIONS,
  full: `A project has at most ${MOST_DEFINITIONS} account relationships.`,
  recount: (table) => countThrough(table, AccountRelationshipDefinitions, "key", { project_id: project }),
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

/** The property definitions of a project. */
export const customPropertiesOfProject = (project: number): BoundedList => ({
  counter: counterKey("customPropertyCount", project),
  most: MOST_DEFINITIONS,
  full: `A project has at most ${MOST_DEFINITIONS} custom properties of accounts.`,
  recount: (table) => countThrough(table, CustomPropertyDefinitions, "key", { project_id: project }),
});
