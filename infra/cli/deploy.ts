import { join } from "node:path";
import { ROOT } from "../bundle.ts";
import { domainTarget } from "../constructs/rest-api.ts";
import { UserError } from "../local/user-error.ts";
import { engineIsInstalled, MISSING_ENGINE } from "../native-engine.ts";
import { STACK_OUTPUTS, stackNames } from "../outputs.ts";
import { changedSettings, keepStageSettings, readStageSettings, STAGE_SETTINGS, type StageSettings } from "../stage-settings.ts";
import { type Account, callersAccount, checkAccount, functionsToShare } from "./account.ts";
import { alarmReceivers } from "./alarm-receivers.ts";
import { askingAws } from "./aws-problem.ts";
import { checkFormats } from "./check-formats.ts";
import { checkSecrets } from "./check-secrets.ts";
import { asProgram, cdk, readArguments, unasked } from "./deployed.ts";
import { settingsBefore } from "./kept-data.ts";
import { checkRehearsed } from "./rehearsed.ts";

const WIDTH = Math.max(...Object.keys(STAGE_SETTINGS).map((name) => name.length));
const USAGE = `Usage: npm run deploy -- --stage NAME [--yes] [--unrehearsed] [-c SETTING=VALUE …]
What is set is kept in infra/stages/NAME.json, which deploy, diff and destroy read:
${Object.entries(STAGE_SETTINGS)
  .map(([name, meaning]) => `  ${name.padEnd(WIDTH)} ${meaning}`)
  .join("\n")}`;

const SYNTHESIZED = join(ROOT, "cdk.out");

/** Checks what can be checked before, deploys all stacks of a stage, and says where it is and what to do next. */
const deploy = async (): Promise<void> => {
  const given = readArguments(process.argv.slice(2), USAGE);
  if (!engineIsInstalled()) throw new UserError(MISSING_ENGINE);
  const account = callersAccount();
  for (const sentence of await checkAccount(account)) console.log(sentence);
  const { writeFormats } = changedSettings(readStageSettings(given.stage), given.context);
  await checkFormats(account, given.stage, writeFormats);
  const before = await settingsBefore(account, given.stage, readStageSettings(given.stage));
  // What is reserved for capture and the lanes follows from it.
  const limit = `functionLimit=${await functionsToShare(account, given.stage)}`;
  const settings = keepStageSettings(given.stage, [limit, ...before, ...given.context]);
  for (const sentence of await checkSecrets(account, settings)) console.log(sentence);
  const stage = { stage: given.stage, context: [] };
  cdk(["synth", "--quiet"], stage);
  if (!given.unrehearsed) checkRehearsed(SYNTHESIZED, given.stage);
  // What was just looked at, and not another synthesis.
  const options = ["--app", SYNTHESIZED, ...unasked(given)];
  // Only the stack of the data may take over what it did not make.
  if (settings.keptTable !== undefined || settings.keptBucket !== undefined)
    cdk(["deploy", stackNames(given.stage).data, "--import-existing-resources", ...options], stage);
  cdk(["deploy", "--all", ...options], stage);
  const outputs = await account.outputs(given.stage);
  const output = (name: string): string => outputs?.get(name) ?? "";
  for (const sentence of await addresses(account, given.stage, settings)) console.log(sentence);
  console.log(`\n${await alarmReceivers(account, given.stage, settings)}`);
  console.log(`
${STACK_OUTPUTS.baseUrl}    ${output(STACK_OUTPUTS.baseUrl)}
${STACK_OUTPUTS.ingestUrl}  ${output(STACK_OUTPUTS.ingestUrl)}
${STACK_OUTPUTS.table}  ${output(STACK_OUTPUTS.table)}

Next, make a project and its keys, and send an event with its token:

  npm run --silent admin -- apply infra/first-project.json --stack ${given.stage}
  curl ${output(STACK_OUTPUTS.ingestUrl)}/batch/ -H 'content-type: application/json' \\
    -d '{"api_key":"phc_…","batch":[{"event":"hello","distinct_id":"me"}]}'

Then ask it what only AWS can answer, and commit what it says:

  npm run smoke -- --stage ${given.stage}
`);
};

/** What is left to do about the hosts' addresses. */
const addresses = async (account: Account, stage: string, settings: StageSettings): Promise<readonly string[]> => {
  const { front, ingest } = stackNames(stage);
  const hosts = [
    { stack: ingest, host: "ingest", domain: settings.ingestDomain },
    { stack: front, host: "management", domain: settings.apiDomain },
  ] as const;
  const targets = await Promise.all(
    hosts.map(async ({ stack, host, domain }) => domain && { domain, target: (await account.outputs(stack))?.get(domainTarget(host)) }),
  );
  return [
    ...targets.flatMap((each) =>
      each ? [`\nLet ${each.domain} point to ${each.target ?? "the host"} (CNAME, or an alias of Route 53).`] : [],
    ),
    ...(settings.ingestDomain === undefined
      ? [
          "\nThe SDKs for Ruby, and for iOS before 3.19.3, need -c ingestDomain=…: they lose the path of the ingest address, and every event with it.",
        ]
      : []),
  ];
};

await asProgram(() => askingAws(deploy), USAGE);
