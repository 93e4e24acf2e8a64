import { RemovalPolicy } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import type { TableUse } from "../../lib/app/uses.ts";
import { INDEXES } from "../../lib/ports/table.ts";
import { INDEX_LAYOUT, PRIMARY, TTL_ATTRIBUTE } from "../../lib/table/layout.ts";
import { listableKeys, readableKeys, writableKeys } from "../rights.ts";

export interface SingleTable {
  readonly name: string;
  /** Reading, listing and writing, each by the partition keys that the use names and by no others. */
  grant(role: iam.Role, use: TableUse): void;
}

const READ = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
const LIST = ["dynamodb:Query"];
const WRITE = ["dynamodb:PutItem", "dynamodb:UpdateItem"];
const REMOVE = ["dynamodb:DeleteItem"];
const CHECK = ["dynamodb:ConditionCheckItem"];

const PROJECTIONS = { ALL: dynamodb.ProjectionType.ALL, KEYS_ONLY: dynamodb.ProjectionType.KEYS_ONLY } as const;

/**
 * The one table, from the layout that the embedded one is made of: paid by the request, encrypted with the service's own key,
 * restorable to any second of the last 35 days, and kept when its stack goes. `kept`: the name of one that is there already, which the
 * stack imports.
 */
export const singleTable = (scope: Construct, kept: string | undefined): SingleTable => {
  const table = tableV2(scope, kept);
  return {
    name: table.tableName,
    grant(role, use) {
      const allow = (actions: string[], resource: string, keys: readonly string[]): void => {
        if (keys.length === 0) return;
        const conditions = { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": keys } };
        role.addToPolicy(new iam.PolicyStatement({ actions, resources: [resource], conditions }));
      };
      allow(READ, table.tableArn, readableKeys(use));
      for (const index of INDEXES) allow(LIST, `${table.tableArn}/index/${index}`, listableKeys(use, index));
      // In one statement, so that a transaction which does several of these is allowed however the service looks at its keys.
      allow([...WRITE, ...(use.removes ? REMOVE : []), ...(use.checks ? CHECK : [])], table.tableArn, writableKeys(use));
    },
  };
};

const tableV2 = (scope: Construct, tableName: string | undefined): dynamodb.TableV2 =>
  new dynamodb.TableV2(scope, "table", {
    ...(tableName !== undefined && { tableName }),
    partitionKey: text(PRIMARY.pk),
    sortKey: text(PRIMARY.sk),
    billing: dynamodb.Billing.onDemand(),
    encryption: dynamodb.TableEncryptionV2.dynamoOwnedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: TTL_ATTRIBUTE,
    deletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    globalSecondaryIndexes: Object.entries(INDEX_LAYOUT).map(([indexName, index]) => ({
      indexName,
      partitionKey: text(index.pk),
      sortKey: text(index.sk),
      projectionType: PROJECTIONS[index.projection],
    })),
  });

const text = (name: string): dynamodb.Attribute => ({ name, type: dynamodb.AttributeType.STRING });
