import { type App, Tags, Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import type { Bundles } from "../functions.ts";
import { trafficLimits } from "../limits.ts";
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
  const table = setting("keptTable");
  const bucket = setting("keptBucket");
  const kept = table === undefined || bucket === undefined ? undefined : { table, bucket };
  const data = new DataStack(app, `${name}-data`, { alarmEmail: setting("alarmEmail"), limits, kept });
  const ingest = new IngestStack(app, `${name}-ingest`, { data, bundles, limits, logRole: setting("logRole") !== "false" });
  const workers = new WorkersStack(app, `${name}-workers`, { data, bundles });
  new ApiStack(app, name, { data, ingest, workers, bundles, limits, dashboard: setting("dashboard") === "true" });
  Tags.of(app).add("platform-stage", name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
};
