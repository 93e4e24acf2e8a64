import * as budgets from "aws-cdk-lib/aws-budgets";
import type { Construct } from "constructs";

/** Parts of the budget, in percent, at which somebody is told: there is still time at the first. */
const TOLD_AT = [50, 100];

/** Tells somebody by e-mail what the account spends in a month. The first two budgets of an account cost nothing. */
export const budget = (scope: Construct, monthlyUsd: number, email: string): void => {
  new budgets.CfnBudget(scope, "budget", {
    budget: { budgetType: "COST", timeUnit: "MONTHLY", budgetLimit: { amount: monthlyUsd, unit: "USD" } },
    notificationsWithSubscribers: TOLD_AT.map((threshold) => ({
      notification: { notificationType: "ACTUAL", comparisonOperator: "GREATER_THAN", threshold, thresholdType: "PERCENTAGE" },
      subscribers: [{ subscriptionType: "EMAIL", address: email }],
    })),
  });
};
