import { CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import * as apigateway from "aws-cdk-lib/aws-apigateway";
import type { Construct } from "constructs";
import { groups } from "../../functions/index.ts";
import { settingName } from "../../lib/aws/environment.ts";
import { NEXT_GENERATION } from "../../lib/core/formats.ts";
import { QUEUES } from "../../lib/ports/queues.ts";
import { canaryFunction } from "../constructs/canary.ts";
import { countedAlarms } from "../constructs/counted-alarms.ts";
import { dashboard } from "../constructs/dashboard.ts";
import { mount, mountElse } from "../constructs/mount.ts";
import { type HostDomain, restApi } from "../constructs/rest-api.ts";
import type { Bundles } from "../functions.ts";
import type { TrafficLimits } from "../limits.ts";
import { STACK_OUTPUTS } from "../outputs.ts";
import type { DataStack } from "./data.ts";
import { GroupFunctions } from "./group-functions.ts";
import type { IngestStack } from "./ingest.ts";
import type { WorkersStack } from "./workers.ts";

interface ApiProps extends StackProps {
  readonly data: DataStack;
  readonly ingest: IngestStack;
  readonly workers: WorkersStack;
  readonly bundles: Bundles;
  readonly limits: TrafficLimits;
  readonly domain: HostDomain | undefined;
  readonly dashboard: boolean;
}

/** The group whose function answers what no group has a path for: it needs nothing, so it starts soonest. */
const ELSE = "docs";

/** The management host, and the stage's front door: its outputs say where everything is. */
export class ApiStack extends Stack {
  constructor(scope: Construct, id: string, props: ApiProps) {
    super(scope, id, props);
    const { table, lake, notices } = props.data;
    const queues = { ...props.ingest.queues, jobs: props.workers.jobs };
    const { invoked } = props.workers;
    // A dashboard looks at them by name: these references are there whether there is one or not, so that it can come and go.
    for (const { queue, deadLetters } of Object.values(queues))
      for (const { queueName } of [queue, deadLetters]) Stack.of(queue).exportValue(queueName);
    const host = restApi(this, "management", {
      // Compressed files are sent as bytes, and a gateway that is told less decides by the client's `Accept`, not by what is sent.
      binaryMediaTypes: ["*/*"],
      notices,
      accessLog: true,
      perSecond: props.limits.managementPerSecond,
      domain: props.domain,
    });
    const urls = { [settingName("baseUrl")]: host.url, [settingName("ingestUrl")]: props.ingest.host.url };
    const served = groups.filter(({ gateway }) => gateway === "management");
    const around = { bundles: props.bundles, table, lake, queues, invoked, notices };
    const within = new GroupFunctions(this, "groups", served, around, urls);
    // It asks for addresses, so it is made where they are known.
    canaryFunction(within, around, urls, notices);
    for (const [group, made] of within.functions) {
      const integration = new apigateway.LambdaIntegration(made, { scopePermissionToMethod: false });
      mount(host.api, group, served, integration);
      if (group.name === ELSE) mountElse(host.api, served, integration);
    }
    countedAlarms(this, notices);
    if (props.dashboard) dashboard(this, [props.ingest.host.api, host.api], Object.values(queues));
    const named = { baseUrl: host.url, ingestUrl: props.ingest.host.url, table: table.name, bucket: lake.name } as const;
    for (const output of ["baseUrl", "ingestUrl", "table", "bucket"] as const) this.tell(STACK_OUTPUTS[output], named[output]);
    // This stack comes last: once it says so, all functions read them.
    this.tell(STACK_OUTPUTS.formatsRead, String(NEXT_GENERATION));
    for (const queue of QUEUES) {
      this.tell(STACK_OUTPUTS.queues[queue], queues[queue].queue.queueUrl);
      this.tell(STACK_OUTPUTS.deadLetters[queue], queues[queue].deadLetters.queueUrl);
    }
  }

  private tell(output: string, value: string): void {
    new CfnOutput(this, output, { value });
  }
}
