import { Stack, type StackProps } from "aws-cdk-lib";
import * as sns from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { Notices } from "../constructs/alarm.ts";
import { budget } from "../constructs/budget.ts";
import { type EventLake, eventLake } from "../constructs/event-lake.ts";
import { type SingleTable, singleTable } from "../constructs/single-table.ts";
import type { TrafficLimits } from "../limits.ts";

/** What is kept: the table and the lake; and where alarms are sent, when `-c alarmEmail=…` names somebody. */
export class DataStack extends Stack {
  readonly table: SingleTable;
  readonly lake: EventLake;
  readonly notices: Notices;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & { readonly alarmEmail: string | undefined; readonly limits: TrafficLimits },
  ) {
    super(scope, id, props);
    this.table = singleTable(this);
    this.lake = eventLake(this);
    if (props.alarmEmail === undefined) return;
    if (props.limits.monthlyBudgetUsd !== undefined) budget(this, props.limits.monthlyBudgetUsd, props.alarmEmail);
    const topic = new sns.Topic(this, "notices", { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(props.alarmEmail));
    this.notices = topic;
  }
}
