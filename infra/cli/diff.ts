import { asProgram, cdk, readArguments } from "./deployed.ts";

const USAGE = "Usage: npm run diff -- --stage NAME";

/** Shows what the next deploy of a stage would change. */
await asProgram(async () => {
  const { stage } = readArguments(process.argv.slice(2), USAGE);
  cdk(["diff", "--all"], { stage, context: [] });
}, USAGE);
