import { RemovalPolicy } from "aws-cdk-lib";
import * as dynamodb from "aws-cdk-lib/aws-dynamodb";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { INDEX_LAYOUT, PRIMARY, TTL_ATTRIBUTE } from "../../lib/table/layout.ts";

export interface SingleTable {
  readonly name: string;
  /** Reading, and writing to partition keys of these patterns; to any where they are left out. */
  grant(role: iam.Role, writes?: readonly string[]): void;
}

const READ = ["dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"];
const WRITE = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem"];

const PROJECTIONS = { ALL: dynamodb.ProjectionType.ALL, KEYS_ONLY: dynamodb.ProjectionType.KEYS_ONLY } as const;

/**
 * The one table, from the layout that the embedded one is made of: paid by the request, encrypted with the service's own key,
 * restorable to any second of the last 35 days, and kept when its stack goes. `kept`: one that is there already.
 */
export const singleTable = (scope: Construct, kept: string | undefined): SingleTable => {
  const table = kept === undefined ? newTable(scope) : dynamodb.TableV2.fromTableName(scope, "table", kept);
  const indexes = Object.keys(INDEX_LAYOUT).map((index) => `${table.tableArn}/index/${index}`);
  return {
    name: table.tableName,
    grant(role, writes) {
      role.addToPolicy(new iam.PolicyStatement({ actions: READ, resources: [table.tableArn, ...indexes] }));
      if (writes?.length === 0) return;
      const conditions = writes && { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": writes } };
      role.addToPolicy(new iam.PolicyStatement({ actions: WRITE, resources: [table.tableArn], ...(conditions && { conditions }) }));
    },
  };
};

const newTable = (scope: Construct): dynamodb.TableV2 =>
  new dynamodb.TableV2(scope, "table", {
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
