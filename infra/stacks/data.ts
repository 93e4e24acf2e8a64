import { Stack, type StackProps } from "aws-cdk-lib";
import * as sns from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { Notices } from "../constructs/alarm.ts";
import { type EventLake, eventLake } from "../constructs/event-lake.ts";
import { type SingleTable, singleTable } from "../constructs/single-table.ts";

/** What is kept: the table and the lake; and where alarms are sent, when `-c alarmEmail=…` names somebody. */
export class DataStack extends Stack {
  readonly table: SingleTable;
  readonly lake: EventLake;
  readonly notices: Notices;

  constructor(scope: Construct, id: string, props: StackProps & { readonly alarmEmail: string | undefined }) {
    super(scope, id, props);
    this.table = singleTable(this);
    this.lake = eventLake(this);
    if (props.alarmEmail === undefined) return;
    const topic = new sns.Topic(this, "notices", { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(props.alarmEmail));
    this.notices = topic;
  }
}
