import type { Table } from "../../ports/table.ts";
import { documentClient, dynamoTable } from "../../table/dynamo.ts";

export const openTable = (tableName: string): Table => dynamoTable(documentClient(), tableName);
