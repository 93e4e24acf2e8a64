import { UserError } from "../local/user-error.ts";
import { engineIsInstalled, MISSING_ENGINE } from "../native-engine.ts";
import { STACK_OUTPUTS } from "../outputs.ts";
import { keepStageSettings, STAGE_SETTINGS } from "../stage-settings.ts";
import { callersAccount, checkAccount } from "./account.ts";
import { asProgram, cdk, readArguments } from "./deployed.ts";

const USAGE = `Usage: npm run deploy -- --stage NAME [--yes] [-c SETTING=VALUE …]
What is set is kept in infra/stages/NAME.json, which deploy, diff and destroy read:
${Object.entries(STAGE_SETTINGS)
  .map(([name, meaning]) => `  ${name.padEnd(22)} ${meaning}`)
  .join("\n")}`;

/** Checks what can be checked before, deploys all stacks of a stage, and says where it is and what to do next. */
const deploy = async (): Promise<void> => {
  const given = readArguments(process.argv.slice(2), USAGE);
  if (!engineIsInstalled()) throw new UserError(MISSING_ENGINE);
  const account = callersAccount();
  for (const sentence of await checkAccount(account)) console.log(sentence);
  keepStageSettings(given.stage, given.context);
  cdk(["deploy", "--all", ...(given.yes ? ["--require-approval", "never"] : [])], { stage: given.stage, context: [] });
  const outputs = await account.outputs(given.stage);
  const output = (name: string): string => outputs?.get(name) ?? "";
  console.log(`
${STACK_OUTPUTS.baseUrl}    ${output(STACK_OUTPUTS.baseUrl)}
${STACK_OUTPUTS.ingestUrl}  ${output(STACK_OUTPUTS.ingestUrl)}
${STACK_OUTPUTS.table}  ${output(STACK_OUTPUTS.table)}

Next, make a project and its keys, and send an event with its token:

  npm run --silent admin -- apply infra/first-project.json --stack ${given.stage}
  curl ${output(STACK_OUTPUTS.ingestUrl)}/batch/ -H 'content-type: application/json' \\
    -d '{"api_key":"phc_…","batch":[{"event":"hello","distinct_id":"me"}]}'
`);
};

await asProgram(deploy);
