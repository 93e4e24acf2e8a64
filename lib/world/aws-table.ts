import { documentClient } from "../table/client.ts";
import { dynamoTable } from "../table/dynamo.ts";
import type { Table } from "../table/table.ts";

export const openTable = (tableName: string): Table => dynamoTable(documentClient(), tableName);
