import { STACK_OUTPUTS } from "../outputs.ts";
import { callersAccount } from "./account.ts";
import { asProgram, cdk, readArguments } from "./deployed.ts";

const USAGE = "Usage: npm run destroy -- --stage NAME [--yes]";

/** Removes a stage's stacks. What is stored stays, and is named together with the commands that remove it. */
const destroy = async (): Promise<void> => {
  const given = readArguments(process.argv.slice(2), USAGE);
  const outputs = await callersAccount().outputs(given.stage);
  cdk(["destroy", "--all", ...(given.yes ? ["--force"] : [])], { ...given, context: [...given.context, "engine=absent"] });
  const table = outputs?.get(STACK_OUTPUTS.table) ?? "TABLE_NAME";
  const bucket = outputs?.get(STACK_OUTPUTS.bucket) ?? "BUCKET_NAME";
  console.log(`
Kept: the table ${table} and the lake's bucket ${bucket}, with everything that was stored, and the gateway's log role.
They cost what they store. To remove them for good:

  aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled
  aws dynamodb delete-table --table-name ${table}
  aws s3 rm s3://${bucket} --recursive && aws s3 rb s3://${bucket}
`);
};

await asProgram(destroy);
