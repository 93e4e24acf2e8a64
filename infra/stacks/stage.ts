import { type App, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { isOn } from "../constructs/settings.ts";
import { stageDomains } from "../domains.ts";
import type { Bundles } from "../functions.ts";
import { trafficLimits } from "../limits.ts";
import { stackNames } from "../outputs.ts";
import { ApiStack } from "./api.ts";
import { DataStack } from "./data.ts";
import { IngestStack } from "./ingest.ts";
import { WorkersStack } from "./workers.ts";

/** One deployment of the platform: its stacks in the order in which they are made. The front stack has the stage's name. */
export const addStage = (app: App, name: string, bundles: Bundles): void => {
  const setting = (key: string): string | undefined => {
    const value: unknown = app.node.tryGetContext(key);
    return value === undefined || value === "" ? undefined : String(value);
  };
  const limits = trafficLimits(setting);
  const domains = stageDomains(setting);
  const stacks = stackNames(name);
  const kept = { table: setting("keptTable"), bucket: setting("keptBucket") };
  const data = new DataStack(app, stacks.data, { alarmEmail: setting("alarmEmail"), limits, kept });
  const ingest = new IngestStack(app, stacks.ingest, {
    data,
    bundles,
    limits,
    domain: domains.ingest,
    logRole: isOn(app, "logRole", true),
  });
  const workers = new WorkersStack(app, stacks.workers, { data, ingest, bundles, apiDomain: domains.api });
  new ApiStack(app, stacks.front, {
    data,
    ingest,
    workers,
    bundles,
    limits,
    domain: domains.api,
    dashboard: isOn(app, "dashboard"),
  });
  Tags.of(app).add("platform-stage", name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};
