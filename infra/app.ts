import { App } from "aws-cdk-lib";
import { asProgram } from "./cli/deployed.ts";
import { bundleAll } from "./functions.ts";
import { addEngines } from "./native-engine.ts";
import { addStage } from "./stacks/stage.ts";
import { readStageSettings } from "./stage-settings.ts";

await asProgram(async () => {
  const app = new App();
  const stage = String(app.node.tryGetContext("stage") ?? "analytics");
  for (const [name, value] of Object.entries(readStageSettings(stage))) app.node.setContext(name, value);
  const bundles = await bundleAll();
  // Taking stacks down needs their names only: `npm run destroy` leaves the engine out.
  if (app.node.tryGetContext("engine") !== "absent") await addEngines(bundles);
  addStage(app, stage, bundles);
  app.synth();
});
