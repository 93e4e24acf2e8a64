import { Arn, Stack, Validations } from "aws-cdk-lib";
import * as glue from "aws-cdk-lib/aws-glue";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import { UserError } from "../local/user-error.ts";
import { given, publishesTables } from "./settings.ts";

/** The database that lists the published tables, the setting `glueDatabase`; undefined for a stage without one. */
const databaseName = (scope: Construct): string | undefined => {
  const name = given(scope, "glueDatabase");
  if (name === undefined) return undefined;
  if (!/^[a-z][a-z0-9_]{0,127}$/.test(name)) throw new UserError(`-c glueDatabase=${name}: give small letters, digits and underscores.`);
  if (!publishesTables(scope)) throw new UserError("-c glueDatabase=… needs -c publish=iceberg as well: it lists published tables.");
  return name;
};

/** Makes the database, where the stage was given the name of one. */
export const registryDatabase = (scope: Construct): void => {
  const name = databaseName(scope);
  if (name === undefined) return;
  const databaseInput = { name, description: "Tables that the platform publishes" };
  new glue.CfnDatabase(scope, "published-tables", { catalogId: Stack.of(scope).account, databaseInput });
};

export const registryEnvironment = (scope: Construct): Readonly<Record<string, string>> => {
  const name = databaseName(scope);
  const { region, urlSuffix } = Stack.of(scope);
  return name === undefined ? {} : { [ENVIRONMENT.glue.url]: `https://glue.${region}.${urlSuffix}`, [ENVIRONMENT.glue.database]: name };
};

/** Lets a function list tables in the one database, and take them off. */
export const grantRegistry = (role: iam.Role): void => {
  const name = databaseName(role);
  if (name === undefined) return;
  const stack = Stack.of(role);
  const arn = (resource: string): string => Arn.format({ service: "glue", resource }, stack);
  const resources = ["catalog", `database/${name}`, `table/${name}/project_*`].map(arn);
  role.addToPolicy(new iam.PolicyStatement({ actions: ["glue:CreateTable", "glue:DeleteTable", "glue:UpdateTable"], resources }));
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:glue:<AWS::Region>:<AWS::AccountId>:table/${name}/project_*]`,
    reason: "Projects come and go, and each has tables of its own; the role may touch none that is called otherwise.",
  });
};
