import { App } from "aws-cdk-lib";
import { bundleAll } from "./functions.ts";
import { addEngines } from "./native-engine.ts";
import { addStage } from "./stacks/stage.ts";

const app = new App();
const bundles = await bundleAll();
await addEngines(bundles);
addStage(app, String(app.node.tryGetContext("stage") ?? "analytics"), bundles);
app.synth();
