import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { thrownMessage } from "../../lib/core/thrown-message.ts";
import { ROOT } from "../bundle.ts";
import { UserError } from "../local/user-error.ts";
import { stageOfStack } from "../outputs.ts";
import { tokenKeysParameter } from "../token-keys.ts";
import { failureText } from "./failure-text.ts";

/** The arguments of `npm run deploy` and `npm run destroy`. */
export interface DeployFlags {
  readonly stage: string;
  /** `-c name=value`: settings to keep in the stage's file. */
  readonly context: readonly string[];
  readonly yes: boolean;
  /** Lose what waits in the queues. */
  readonly discard: boolean;
  /** Deploy what no rehearsal stood up. */
  readonly unrehearsed: boolean;
}

/** The longest suffix that a stack of a stage has, `-workers`, must fit into a stack's name too. */
const STAGE = /^[a-zA-Z][a-zA-Z0-9-]{0,60}$/;

/** How no parameter of Systems Manager may begin: the service keeps these names for itself. A stage has a parameter of its own name. */
const RESERVED = /^(aws|ssm)/i;

export const readArguments = (words: readonly string[], usage: string): DeployFlags => {
  const options = {
    stage: { type: "string" },
    context: { type: "string", short: "c", multiple: true },
    yes: { type: "boolean", short: "y" },
    "discard-waiting": { type: "boolean" },
    unrehearsed: { type: "boolean" },
  } as const;
  const { values } = (() => {
    try {
      return parseArgs({ args: [...words], options });
    } catch (cause) {
      throw new UserError(`${thrownMessage(cause)} ${usage}`);
    }
  })();
  const { stage, context = [], yes = false, "discard-waiting": discard = false, unrehearsed = false } = values;
  if (stage === undefined || !STAGE.test(stage))
    throw new UserError(`Name the stage in letters, digits and hyphens, beginning with a letter. ${usage}`);
  if (RESERVED.test(stage))
    throw new UserError(
      `Name the stage otherwise: its integrations' tokens need the parameter ${tokenKeysParameter(stage)}, and Systems Manager takes none that begins with aws or ssm.`,
    );
  const other = stageOfStack(stage);
  if (other !== undefined)
    throw new UserError(
      `Name the stage otherwise: a stage ${other} has a stack ${stage}, which this would put something else in the place of.`,
    );
  return { stage, context, yes, discard, unrehearsed };
};

/** Words with which a deployment asks nobody: neither about what it may do, nor whether a stack that is stuck is rolled back first. */
export const unasked = ({ yes }: Pick<DeployFlags, "yes">): readonly string[] => (yes ? ["--require-approval", "never", "--yes"] : []);

/** Runs the CDK's own command line, which talks to the person itself; a failure of it is told once more in a sentence. */
export const cdk = (words: readonly string[], { stage, context }: Pick<DeployFlags, "stage" | "context">): void => {
  const settings = [`stage=${stage}`, ...context].flatMap((setting) => ["-c", setting]);
  const program = join(ROOT, "node_modules", "aws-cdk", "bin", "cdk");
  const done = spawnSync(process.execPath, [program, ...words, ...settings], { cwd: ROOT, stdio: "inherit" });
  if (done.status !== 0) throw new UserError(`The CDK could not ${words[0]} the stage ${stage}: see its message above.`);
};

/** Runs a command, or prints its usage where that is asked for, and says what a person can put right without a stack. */
export const asProgram = async (work: () => Promise<void>, usage?: string): Promise<void> => {
  if (usage !== undefined && process.argv.includes("--help")) {
    process.stdout.write(`${usage}\n`);
    return;
  }
  try {
    await work();
  } catch (thrown) {
    process.stderr.write(`${await failureText(thrown)}\n`);
    process.exitCode = 1;
  }
};
