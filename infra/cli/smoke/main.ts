import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { thrownMessage } from "../../../lib/core/thrown-message.ts";
import { readRunning } from "../../local/stores/lock.ts";
import { UserError } from "../../local/user-error.ts";
import { STACK_OUTPUTS } from "../../outputs.ts";
import { settingsFile } from "../../stage-settings.ts";
import { callersAccount, outputsOf } from "../account.ts";
import { askingAws } from "../aws-problem.ts";
import { asProgram } from "../deployed.ts";
import { localTarget } from "../local-target.ts";
import { stackTarget } from "../stack-target.ts";
import type { Target } from "../target.ts";
import { loopQuestion } from "./loop-question.ts";
import type { Answered, Question, Site } from "./question.ts";
import { askAll, smokeReport } from "./smoke.ts";
import { asVisitor } from "./visitor.ts";

const USAGE = "Usage: npm run smoke -- --stage NAME, or --data-dir DIR for a platform that runs on this machine";

/** `npm run smoke -- --stage NAME`: asks a stage what only AWS can answer, and keeps the answers beside the stage's settings. */
const smoke = async (): Promise<void> => {
  const { stage, dataDir } = readFlags();
  if (stage === undefined) await laptop(dataDir ?? ".local");
  else await askingAws(() => deployed(stage));
};

const deployed = async (stage: string): Promise<void> => {
  const account = callersAccount();
  const outputs = await outputsOf(account, stage);
  const [ingestUrl, baseUrl] = [outputs?.get(STACK_OUTPUTS.ingestUrl), outputs?.get(STACK_OUTPUTS.baseUrl)];
  if (ingestUrl === undefined || baseUrl === undefined) throw new UserError(`There is no stage ${stage} in this account and region.`);
  const answers = await askAndReport(await stackTarget(stage), { ingestUrl, baseUrl, place: "deployed" }, [loopQuestion(account, stage)]);
  const file = settingsFile(stage).replace(/\.json$/, ".smoke.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, smokeReport(`the stage ${stage}`, new Date().toISOString(), answers));
  console.log(`\nWritten to ${file}: commit it.`);
};

const laptop = async (dataDir: string): Promise<void> => {
  const running = readRunning(dataDir);
  if (running === undefined) throw new UserError(`No platform runs on ${dataDir}: npm start. ${USAGE}`);
  await askAndReport(await localTarget(dataDir, { makes: false }), {
    ingestUrl: running.base_url,
    baseUrl: running.base_url,
    place: "laptop",
  });
};

/** Asks everything as a visitor, tells each answer, and ends the program as failed where one is not as assumed. */
const askAndReport = async (
  target: Target,
  at: Pick<Site, "ingestUrl" | "baseUrl" | "place">,
  more: readonly Question[] = [],
): Promise<readonly Answered[]> => {
  try {
    const answers = await asVisitor(target, Date.now().toString(36), (visitor) => askAll({ ...at, ...visitor }, more));
    for (const { asks, assumed, found, asAssumed } of answers)
      console.log(`${asAssumed ? "ok " : "NOT"}  ${asks}: ${found}${asAssumed ? "" : ` (assumed: ${assumed})`}`);
    if (answers.some(({ asAssumed }) => !asAssumed)) process.exitCode = 1;
    return answers;
  } finally {
    await target.close();
  }
};

const readFlags = (): { readonly stage: string | undefined; readonly dataDir: string | undefined } => {
  try {
    const { values } = parseArgs({ options: { stage: { type: "string" }, "data-dir": { type: "string" } } });
    return { stage: values.stage, dataDir: values["data-dir"] };
  } catch (cause) {
    throw new UserError(`${thrownMessage(cause)} ${USAGE}`);
  }
};

await asProgram(smoke, USAGE);
