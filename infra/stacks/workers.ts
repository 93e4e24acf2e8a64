import { Duration, Stack, type StackProps } from "aws-cdk-lib";
import * as events from "aws-cdk-lib/aws-events";
import { LambdaFunction } from "aws-cdk-lib/aws-events-targets";
import type * as lambda from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { canary } from "../../functions/canary/schedule.ts";
import { invocables, schedules } from "../../functions/index.ts";
import { jobs } from "../../functions/jobs/consumer.ts";
import { notices as sending } from "../../functions/notices/schedule.ts";
import { settingName } from "../../lib/aws/environment.ts";
import type { Invocable } from "../../lib/lambda/invocable.ts";
import { LATE_MS } from "../../lib/ports/queues.ts";
import { type Notices, watched } from "../constructs/alarm.ts";
import { countedAlarms } from "../constructs/counted-alarms.ts";
import { registryDatabase } from "../constructs/glue-registry.ts";
import { type GuardedQueue, guardedQueue } from "../constructs/guarded-queue.ts";
import { platformFunction, type Surroundings } from "../constructs/http-function.ts";
import type { Invoked } from "../constructs/invocations.ts";
import { queryFunction } from "../constructs/query-function.ts";
import { domainUrl, type HostDomain } from "../constructs/rest-api.ts";
import { tellsCustomers } from "../constructs/settings.ts";
import { functionThrottleAlarm, tableThrottleAlarm } from "../constructs/throttle-alarms.ts";
import type { Bundles } from "../functions.ts";
import type { DataStack } from "./data.ts";
import type { IngestStack } from "./ingest.ts";

/** Jobs may wait behind a large import, not for hours. */
const LATE = Duration.millis(LATE_MS.jobs);

/** Alarms on schedules that run each minute look at this time. */
const WATCHED_MINUTES = 15;

/** A call that found no free function within this is made again by the sweep. */
const START_WITHIN = Duration.minutes(1);

/** The stack of background work: the jobs queue, its worker, what others start, and whatever runs by the clock. */
export class WorkersStack extends Stack {
  readonly jobs: GuardedQueue;
  readonly invoked: Invoked;

  constructor(
    scope: Construct,
    id: string,
    props: StackProps & {
      readonly data: DataStack;
      readonly ingest: IngestStack;
      readonly bundles: Bundles;
      /** The domain of the API, whose host is made after this stack. */
      readonly apiDomain: HostDomain | undefined;
    },
  ) {
    super(scope, id, props);
    const { table, lake, notices } = props.data;
    this.jobs = guardedQueue(this, jobs, { notices, lateAfter: LATE });
    registryDatabase(this);
    const around = { bundles: props.bundles, table, lake, queues: { jobs: this.jobs } };
    // Erased people are taken out of what ingest gave up on.
    this.jobs.feed(queryFunction(this, jobs, { ...around, queues: { ...props.ingest.queues, jobs: this.jobs } }));
    this.invoked = Object.fromEntries(invocables.map((each) => [each.name, this.started(each, around)]));
    countedAlarms(this, notices);
    functionThrottleAlarm(this, notices);
    tableThrottleAlarm(this, table, notices);
    // Letters say where the platform is. Only of a domain is that known here: the gateway's own address comes with the host.
    const { apiDomain } = props;
    const urls = apiDomain === undefined ? {} : { [settingName("baseUrl")]: domainUrl(apiDomain) };
    for (const schedule of schedules.filter((each) => each !== canary)) {
      const scheduled = platformFunction(this, schedule, { ...around, invoked: this.invoked }, schedule === sending ? urls : {});
      // Nothing is ever sent there, so nothing has to run nor to be watched.
      if (schedule === sending && !tellsCustomers(this)) continue;
      new events.Rule(this, `${schedule.name}-rule`, {
        schedule: events.Schedule.expression(`rate(${schedule.every})`),
        targets: [new LambdaFunction(scheduled)],
      });
      if (schedule.every === "1 minute") this.watchOften(scheduled, schedule.name, notices);
      else
        watched(this, notices, {
          article: `${schedule.name}-errors`,
          says: `The schedule ${schedule.name} fails.`,
          metric: scheduled.metricErrors({ period: Duration.minutes(15), statistic: "Sum" }),
          above: 0,
        });
    }
  }

  /** A function that finds its work by itself: no call of it is worth a second try, and what fails of the work is kept with it. */
  private started(each: Invocable, around: Surroundings): lambda.Function {
    const made = queryFunction(this, each, around);
    made.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: START_WITHIN });
    return made;
  }

  /** A schedule may fail now and then; the alarm asks whether it works, so one that never runs is seen, too. */
  private watchOften(scheduled: lambda.Function, name: string, notices: Notices): void {
    // The next run is near: trying a failed one again would only double the work.
    scheduled.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    watched(this, notices, {
      article: `${name}-errors`,
      says: `The schedule ${name} fails, or does not run at all.`,
      metric: scheduled.metricErrors({ period: Duration.minutes(WATCHED_MINUTES), statistic: "Sum" }),
      above: 3,
      // Each run says whether it failed: where nothing is said, none ran.
      silence: "alarm",
    });
  }
}
