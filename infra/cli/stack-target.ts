import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { openAws } from "../../lib/aws/aws.ts";
import { ENVIRONMENT, type Environment } from "../../lib/aws/environment.ts";
import { thrownMessage } from "../../lib/core/thrown-message.ts";
import type { Invocations } from "../../lib/ports/invocations.ts";
import { QUEUES } from "../../lib/ports/queues.ts";
import { partitionNames } from "../../lib/table/partitions.ts";
import { UserError } from "../local/user-error.ts";
import { STACK_OUTPUTS } from "../outputs.ts";
import { tokenKeysParameter } from "../token-keys.ts";
import { awsProblem } from "./aws-problem.ts";
import { callersSecrets } from "./callers-secrets.ts";
import type { Target } from "./target.ts";

/** A deployed stack, with the caller's own credentials and region. */
export const stackTarget = async (stack: string): Promise<Target> => {
  const outputs = await stackOutputs(stack);
  const world = openAws(
    {
      table: { read: partitionNames, write: partitionNames },
      queues: QUEUES,
      queueDepths: true,
      deadLetters: true,
      objects: {},
      engine: true,
      tokenKeys: true,
    },
    {
      ...(await callersEnvironment(stack)),
      [ENVIRONMENT.table]: outputs.get(STACK_OUTPUTS.table),
      [ENVIRONMENT.bucket]: outputs.get(STACK_OUTPUTS.bucket),
      ...Object.fromEntries(
        QUEUES.flatMap((queue) => [
          [ENVIRONMENT.queues[queue], outputs.get(STACK_OUTPUTS.queues[queue])],
          [ENVIRONMENT.deadLetters[queue], outputs.get(STACK_OUTPUTS.deadLetters[queue])],
        ]),
      ),
    },
    // A command's own output is a document or rows.
    (line) => process.stderr.write(line),
  );
  return { world: { ...world, invocations: NO_STARTS }, forgetKeys: () => undefined, close: async () => undefined };
};

/** A command starts no function of the stage: the next sweep starts what is due, as it does where a start was lost. */
const NO_STARTS: Invocations = { start: async () => false };

/** Where the keys of the stage's tokens lie, and who asks for them: the caller. */
const callersEnvironment = async (stack: string): Promise<Environment> => {
  const { region, credentials, parametersUrl } = await callersSecrets();
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    [ENVIRONMENT.secrets.parametersUrl]: parametersUrl,
    [ENVIRONMENT.secrets.tokenKeys]: tokenKeysParameter(stack),
  };
};

/** What a stage says of itself. Throws a `UserError` where there is no such stage. */
export const stackOutputs = async (stack: string): Promise<ReadonlyMap<string, string>> => {
  const answer = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stack })).catch((cause: unknown) => {
    throw awsProblem(cause) ?? new UserError(`The stack ${stack} cannot be read: ${thrownMessage(cause)}`);
  });
  const { Outputs: outputs = [], StackStatus: status } = answer.Stacks?.[0] ?? {};
  const values = new Map(outputs.map((output) => [output.OutputKey ?? "", output.OutputValue ?? ""]));
  if (!values.has(STACK_OUTPUTS.table))
    throw new UserError(
      `The stack ${stack} (${status}) has no output ${STACK_OUTPUTS.table}: it is not this platform's, or was not deployed to the end. Run \`npm run deploy -- --stage ${stack}\` first.`,
    );
  return values;
};
