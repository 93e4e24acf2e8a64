import { type CfnResource, Duration, RemovalPolicy, Stack, type StackProps, Validations } from "aws-cdk-lib";
import * as apigateway from "aws-cdk-lib/aws-apigateway";
import * as cloudwatch from "aws-cdk-lib/aws-cloudwatch";
import * as iam from "aws-cdk-lib/aws-iam";
import type { Construct } from "constructs";
import { capture } from "../../functions/capture/group.ts";
import { consumers, groups } from "../../functions/index.ts";
import { ingestHistorical, ingestLive } from "../../functions/ingest/consumers.ts";
import type { Group } from "../../lib/app/routes.ts";
import { LATE_MS } from "../../lib/ports/queues.ts";
import { watched } from "../constructs/alarm.ts";
import { countedMetric } from "../constructs/counts.ts";
import { gradually } from "../constructs/gradual.ts";
import { type GuardedQueue, guardedQueue } from "../constructs/guarded-queue.ts";
import { platformFunction } from "../constructs/http-function.ts";
import { mount } from "../constructs/mount.ts";
import { type HostDomain, type RestApi, restApi } from "../constructs/rest-api.ts";
import type { Bundles } from "../functions.ts";
import type { TrafficLimits } from "../limits.ts";
import type { DataStack } from "./data.ts";

/** Messages of the live queue are late when the oldest is older than this: events should be seen within a minute. */
const LATE = Duration.millis(LATE_MS.live);

/** A large import may take a while; after so long, nobody drains it. */
const LATE_IMPORT = Duration.hours(6);

/** Refusals are looked at by quarters of an hour, where there are so many requests in one that the part refused says something. */
const REFUSAL_PERIOD = Duration.minutes(15);
const LEAST_REQUESTS = 1_000;

/** From an SDK's request to the lake: the ingest host, the two lanes and what drains them. */
export class IngestStack extends Stack {
  readonly host: RestApi;
  readonly queues: Readonly<Record<"live" | "historical", GuardedQueue>>;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & {
      readonly data: DataStack;
      readonly bundles: Bundles;
      readonly logRole: boolean;
      readonly limits: TrafficLimits;
      readonly domain: HostDomain | undefined;
    },
  ) {
    super(scope, id, props);
    const { table, lake, notices } = props.data;
    const { windowSeconds } = ingestLive.batch;
    const live = { ...ingestLive, batch: { ...ingestLive.batch, windowSeconds: props.limits.liveWindowSeconds ?? windowSeconds } };
    this.queues = {
      live: guardedQueue(this, live, { notices, lateAfter: LATE }),
      historical: guardedQueue(this, ingestHistorical, { notices, lateAfter: LATE_IMPORT }),
    };
    const around = { bundles: props.bundles, table, lake, queues: this.queues };
    for (const consumer of consumers) {
      if (consumer.queue === "jobs") continue;
      this.queues[consumer.queue].feed(gradually(platformFunction(this, consumer, around), consumer.name, notices));
    }
    // SDKs send compressed bytes under any content type: the gateway must take all of them for bytes.
    this.host = restApi(this, "ingest", {
      binaryMediaTypes: ["*/*"],
      notices,
      accessLog: false,
      perSecond: props.limits.ingestPerSecond,
      domain: props.domain,
    });
    // The front stack knows the host by this as long as it has no domain: what is handed over stays, so that a domain can come and go.
    this.exportValue(this.host.api.restApiId);
    watched(this, notices, {
      article: "ingest-refusals",
      says: "More than a twentieth of the SDKs' requests were refused, and SDKs drop what is refused.",
      metric: new cloudwatch.MathExpression({
        // A scanner or a test that goes wrong sends some hundreds of requests, and is gone soon.
        expression: `IF(requests > ${LEAST_REQUESTS}, refused / requests, 0)`,
        usingMetrics: {
          requests: this.host.api.metricCount({ period: REFUSAL_PERIOD, statistic: "Sum" }),
          refused: this.host.api.metricClientError({ period: REFUSAL_PERIOD, statistic: "Sum" }),
        },
        period: REFUSAL_PERIOD,
        label: "part of the requests that was refused",
      }),
      above: 0.05,
      periods: 2,
    });
    watched(this, notices, {
      article: "ingest-too-large",
      says: "Capture refused requests as too large, and some SDKs drop those without a word.",
      metric: countedMetric(this, "RequestsTooLarge", Duration.minutes(15)),
      above: 0,
    });
    if (props.limits.volumeAlarm !== undefined)
      watched(this, notices, {
        article: "ingest-volume",
        says: "More requests came to the ingest host than are usual.",
        metric: this.host.api.metricCount({ period: Duration.minutes(5), statistic: "Sum" }),
        above: props.limits.volumeAlarm,
      });
    for (const group of groups.filter(({ gateway }) => gateway === "ingest")) {
      const called = gradually(platformFunction(this, group, around), group.name, notices);
      const integration = new apigateway.LambdaIntegration(called, { scopePermissionToMethod: false });
      mountOn(this.host.api, group, integration);
    }
    if (props.logRole) this.host.api.deploymentStage.node.addDependency(gatewayLogRole(this));
  }
}

/** Capture takes the whole host, unknown paths too, so that their answers are its own; every other group takes the paths that it declares. */
const mountOn = (api: apigateway.RestApi, group: Group, integration: apigateway.Integration): void => {
  if (group.name === capture.name) {
    api.root.addMethod("ANY", integration);
    api.root.addResource("{proxy+}").addMethod("ANY", integration);
  } else mount(api, group, [group], integration);
};

/**
 * The role with which the gateway writes logs. There is one for the account and region, whoever set it: where there is one
 * already, the setting `logRole: false` leaves it alone. It is kept when the stack goes, because other APIs may rely on it by then.
 */
const gatewayLogRole = (scope: Construct): CfnResource => {
  const role = new iam.Role(scope, "gateway-log-role", {
    assumedBy: new iam.ServicePrincipal("apigateway.amazonaws.com"),
    managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName("service-role/AmazonAPIGatewayPushToCloudWatchLogs")],
  });
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]",
    reason: "The gateway checks that its account-wide role has this very policy.",
  });
  const account = new apigateway.CfnAccount(scope, "gateway-account", { cloudWatchRoleArn: role.roleArn });
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return account;
};
