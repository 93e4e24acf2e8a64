import { NestedStack } from "aws-cdk-lib";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import type { Group } from "../../lib/app/routes.ts";
import type { Notices } from "../constructs/alarm.ts";
import { gradually } from "../constructs/gradual.ts";
import { platformFunction, type Surroundings } from "../constructs/http-function.ts";
import { queryFunction } from "../constructs/query-function.ts";

/**
 * The functions of the API's groups with their roles and logs: a stack within the front stack, because a stack holds 500 resources. The
 * host stays in the front stack with its paths and its deployment, so that the address stays and each deployment holds every path.
 */
export class GroupFunctions extends NestedStack {
  /** Whom to call for each group. */
  readonly functions: ReadonlyMap<Group, lambda.IFunction>;

  constructor(
    scope: Construct,
    id: string,
    groups: readonly Group[],
    around: Surroundings & { readonly notices: Notices },
    settings: Readonly<Record<string, string>>,
  ) {
    super(scope, id);
    this.functions = new Map(
      groups.map((group) => {
        const made = (group.uses.engine ? queryFunction : platformFunction)(this, group, around, settings);
        return [group, gradually(made, group.name, around.notices)];
      }),
    );
  }
}
