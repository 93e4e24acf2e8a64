import { STACK_OUTPUTS } from "../outputs.ts";
import { keepStageSettings } from "../stage-settings.ts";
import { callersAccount } from "./account.ts";
import { asProgram, cdk, readArguments } from "./deployed.ts";
import { checkNothingWaits } from "./waiting.ts";

const USAGE = "Usage: npm run destroy -- --stage NAME [--yes] [--discard-waiting]";

/** Removes a stage's stacks. What is stored stays, and is named together with the commands that remove it. */
const destroy = async (): Promise<void> => {
  const given = readArguments(process.argv.slice(2), USAGE);
  const account = callersAccount();
  const outputs = await account.outputs(given.stage);
  await checkNothingWaits(account, outputs, given);
  cdk(["destroy", "--all", ...(given.yes ? ["--force"] : [])], { stage: given.stage, context: ["engine=absent"] });
  const table = outputs?.get(STACK_OUTPUTS.table) ?? "TABLE_NAME";
  const bucket = outputs?.get(STACK_OUTPUTS.bucket) ?? "BUCKET_NAME";
  if (outputs !== undefined) keepStageSettings(given.stage, [`keptTable=${table}`, `keptBucket=${bucket}`]);
  console.log(`
Kept: the table ${table} and the lake's bucket ${bucket}, with everything that was stored, and the gateway's log role.
The next deploy of this stage goes on with them, as infra/stages/${given.stage}.json says now. They cost what they store. To remove them for good:

  aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled
  aws dynamodb delete-table --table-name ${table}
  aws s3api put-bucket-lifecycle-configuration --bucket ${bucket} --lifecycle-configuration '${EMPTYING}'
  aws s3 rb s3://${bucket}     # some days later, when it is empty
  and take keptTable and keptBucket out of infra/stages/${given.stage}.json
`);
};

/** Lets the store delete everything by itself, old versions included. */
const EMPTYING = JSON.stringify({
  Rules: [
    { ID: "all", Status: "Enabled", Filter: {}, Expiration: { Days: 1 }, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
    { ID: "markers", Status: "Enabled", Filter: {}, Expiration: { ExpiredObjectDeleteMarker: true } },
  ],
});

await asProgram(destroy);
