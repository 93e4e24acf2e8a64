import { CreateTableCommand, type CreateTableCommandInput, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { INDEX_LAYOUT, KEY_ATTRIBUTES, PRIMARY, TTL_ATTRIBUTE } from "../../../lib/table/layout.ts";

/** The table as the embedded parts create it; the stack makes the same one from the same layout. */
const createTableParams = (tableName: string): CreateTableCommandInput => ({
  TableName: tableName,
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: KEY_ATTRIBUTES.map((name) => ({ AttributeName: name, AttributeType: "S" })),
  KeySchema: keySchema(PRIMARY),
  GlobalSecondaryIndexes: Object.entries(INDEX_LAYOUT).map(([name, index]) => ({
    IndexName: name,
    KeySchema: keySchema(index),
    Projection: { ProjectionType: index.projection },
  })),
});

/** Makes the table where there is none; one that exists stays as it is. */
export const ensureTable = async (client: DynamoDBDocumentClient, tableName: string): Promise<void> => {
  try {
    await client.send(new CreateTableCommand(createTableParams(tableName)));
  } catch (error) {
    if (error instanceof Error && error.name === "ResourceInUseException") return;
    throw error;
  }
  const TimeToLiveSpecification = { AttributeName: TTL_ATTRIBUTE, Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
};

const keySchema = (key: { readonly pk: string; readonly sk: string }) => [
  { AttributeName: key.pk, KeyType: "HASH" as const },
  { AttributeName: key.sk, KeyType: "RANGE" as const },
];
