import { tokenKeysParameter } from "../token-keys.ts";
import { callersAccount, outputsOf } from "./account.ts";
import { askingAws } from "./aws-problem.ts";
import { asProgram, cdk, readArguments } from "./deployed.ts";
import { destroyStage } from "./destroy-stage.ts";
import type { KeptData } from "./kept-data.ts";

const USAGE = "Usage: npm run destroy -- --stage NAME [--yes] [--discard-waiting]";

/** Removes a stage's stacks. What is stored stays, and is named together with the commands that remove it. */
const destroy = async (): Promise<void> => {
  const given = readArguments(process.argv.slice(2), USAGE);
  const account = callersAccount();
  // Who cannot ask the account is told what to do before anything is begun.
  await outputsOf(account, given.stage);
  const kept = await destroyStage(given, { account, cdk });
  console.log(farewell(given.stage, kept));
};

const farewell = (stage: string, { table, bucket }: KeptData): string =>
  table === undefined && bucket === undefined
    ? `\nNothing is kept: the stage ${stage} has stored nothing. The gateway's log role stays.\n`
    : `
Kept: ${[table && `the table ${table}`, bucket && `the lake's bucket ${bucket}`].filter(Boolean).join(" and ")}, with everything that was stored, and the gateway's log role.
The next deploy of this stage goes on with them, as infra/stages/${stage}.json says now. They cost what they store. To remove them for good:

${[...(table === undefined ? [] : removalOfTable(stage, table)), ...(bucket === undefined ? [] : removalOfBucket(bucket))].map((line) => `  ${line}\n`).join("")}  and take keptTable and keptBucket out of infra/stages/${stage}.json
`;

const removalOfTable = (stage: string, table: string): readonly string[] => [
  `aws dynamodb update-table --table-name ${table} --no-deletion-protection-enabled`,
  `aws dynamodb delete-table --table-name ${table}`,
  `aws ssm delete-parameter --name ${tokenKeysParameter(stage)}     # the keys of integrations' tokens, if any was given`,
];

const removalOfBucket = (bucket: string): readonly string[] => [
  `aws s3api put-bucket-lifecycle-configuration --bucket ${bucket} --lifecycle-configuration '${EMPTYING}'`,
  `aws s3 rb s3://${bucket}     # some days later, when it is empty`,
];

/** Lets the store delete everything by itself, old versions included. */
const EMPTYING = JSON.stringify({
  Rules: [
    { ID: "all", Status: "Enabled", Filter: {}, Expiration: { Days: 1 }, NoncurrentVersionExpiration: { NoncurrentDays: 1 } },
    { ID: "markers", Status: "Enabled", Filter: {}, Expiration: { ExpiredObjectDeleteMarker: true } },
  ],
});

await asProgram(() => askingAws(destroy), USAGE);
