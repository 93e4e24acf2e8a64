import {
  type AccountRelationshipDefinition,
  AccountRelationshipDefinitions,
  type CustomPropertyDefinition,
  CustomPropertyDefinitions,
} from "../../lib/customers/account-definitions.ts";
import type { Table } from "../../lib/ports/table.ts";
import { list } from "../../lib/table/store.ts";

/** The relationships and properties that accounts of a project can have, by name. */
export interface Definitions {
  readonly relationships: readonly AccountRelationshipDefinition[];
  readonly properties: readonly CustomPropertyDefinition[];
}

export const readDefinitions = async (table: Table, project: number): Promise<Definitions> => {
  const [relationships, properties] = await Promise.all([
    list(table, AccountRelationshipDefinitions, "key", { project_id: project }),
    list(table, CustomPropertyDefinitions, "key", { project_id: project }),
  ]);
  return { relationships, properties };
};
