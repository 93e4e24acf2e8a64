import { App } from "aws-cdk-lib";
import { asProgram } from "./cli/deployed.ts";
import { bundleAll } from "./functions.ts";
import { addEngines } from "./native-engine.ts";
import { addStage } from "./stacks/stage.ts";

await asProgram(async () => {
  const app = new App();
  const bundles = await bundleAll();
  // Taking stacks down needs their names only: `npm run destroy` leaves the engine out.
  if (app.node.tryGetContext("engine") !== "absent") await addEngines(bundles);
  addStage(app, String(app.node.tryGetContext("stage") ?? "analytics"), bundles);
  app.synth();
});
