import type { Table } from "../ports/table.ts";
import { documentClient } from "../table/dynamo/client.ts";
import { dynamoTable } from "../table/dynamo/dynamo.ts";

export const openTable = (tableName: string): Table => dynamoTable(documentClient(), tableName);
