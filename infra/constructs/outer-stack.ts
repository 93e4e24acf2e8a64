import { Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";

/** The name of a construct's stack as an operator knows it: of a stack within another one that of the other. */
export const outerStackName = (scope: Construct): string => {
  const stack = Stack.of(scope);
  return (stack.nestedStackParent ?? stack).stackName;
};
