import type { Table } from "../ports/table.ts";
import { documentClient } from "../table/client.ts";
import { dynamoTable } from "../table/dynamo.ts";

export const openTable = (tableName: string): Table => dynamoTable(documentClient(), tableName);
