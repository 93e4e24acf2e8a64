import { Arn, CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import * as iam from "aws-cdk-lib/aws-iam";
import * as sns from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { Notices } from "../constructs/alarm.ts";
import { budget } from "../constructs/budget.ts";
import { type EventLake, eventLake } from "../constructs/event-lake.ts";
import { isEmailAddress, writtenFormats } from "../constructs/settings.ts";
import { type SingleTable, singleTable } from "../constructs/single-table.ts";
import type { TrafficLimits } from "../limits.ts";
import { UserError } from "../local/user-error.ts";
import { FORMATS_WRITTEN, KEPT_OUTPUTS } from "../outputs.ts";

/** The stack of the data: the table and the lake; and where alarms are sent, when the setting `alarmEmail` names somebody. */
export class DataStack extends Stack {
  readonly table: SingleTable;
  readonly lake: EventLake;
  readonly notices: Notices;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & {
      readonly alarmEmail: string | undefined;
      readonly limits: TrafficLimits;
      /** The table and the bucket that a stage of this name left when it was destroyed: the stack takes them back, and makes none. */
      readonly kept: { readonly table: string | undefined; readonly bucket: string | undefined };
    },
  ) {
    super(scope, id, props);
    this.table = singleTable(this, props.kept.table);
    this.lake = eventLake(this, props.kept.bucket);
    for (const kind of ["table", "bucket"] as const) {
      const value = props.kept[kind];
      if (value !== undefined) new CfnOutput(this, KEPT_OUTPUTS[kind], { value });
    }
    new CfnOutput(this, FORMATS_WRITTEN, { value: String(writtenFormats(this)) });
    const { alarmEmail, limits } = props;
    if (alarmEmail === undefined) {
      if (limits.monthlyBudgetUsd === undefined) return;
      throw new UserError(`-c monthlyBudgetUsd=${limits.monthlyBudgetUsd} needs -c alarmEmail=… as well: who is told of it.`);
    }
    if (!isEmailAddress(alarmEmail)) throw new UserError(`-c alarmEmail=${alarmEmail}: give an e-mail address.`);
    if (limits.monthlyBudgetUsd !== undefined) budget(this, limits.monthlyBudgetUsd, alarmEmail);
    const topicName = `${this.stackName}-notices`;
    const topic = new sns.Topic(this, "notices", { topicName, enforceSSL: true });
    topic.addSubscription(new EmailSubscription(alarmEmail));
    // A policy of its own takes the place of the one that lets the account publish.
    topic.addToResourcePolicy(
      new iam.PolicyStatement({
        actions: ["sns:Publish"],
        principals: [new iam.ServicePrincipal("cloudwatch.amazonaws.com")],
        resources: [topic.topicArn],
        conditions: { StringEquals: { "aws:SourceAccount": this.account } },
      }),
    );
    this.notices = Arn.format({ service: "sns", resource: topicName }, this);
  }
}
