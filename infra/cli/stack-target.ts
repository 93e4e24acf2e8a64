import { CloudFormationClient, DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import { SQSClient } from "@aws-sdk/client-sqs";
import { openAws } from "../../lib/aws/aws.ts";
import { sqsSource } from "../../lib/aws/aws-queues.ts";
import { ENVIRONMENT } from "../../lib/aws/environment.ts";
import { UserError } from "../local/user-error.ts";
import { STACK_OUTPUTS } from "../outputs.ts";
import type { Target } from "./target.ts";

/** A deployed stack, with the caller's own credentials and region. */
export const stackTarget = async (stack: string): Promise<Target> => {
  const outputs = await readOutputs(stack);
  const url = (name: string): string => outputs.get(name) ?? "";
  const { queues, deadLetters } = STACK_OUTPUTS;
  const world = openAws(
    { table: "any partition", queues: ["jobs"], objects: {}, engine: true },
    {
      [ENVIRONMENT.table]: outputs.get(STACK_OUTPUTS.table),
      [ENVIRONMENT.bucket]: outputs.get(STACK_OUTPUTS.bucket),
      [ENVIRONMENT.queues.live]: url(queues.live),
      [ENVIRONMENT.queues.historical]: url(queues.historical),
      [ENVIRONMENT.queues.jobs]: url(queues.jobs),
    },
  );
  const urls = { live: url(deadLetters.live), historical: url(deadLetters.historical), jobs: url(deadLetters.jobs) };
  return { world, deadLetters: sqsSource(new SQSClient({}), urls), forgetKeys: () => undefined, close: async () => undefined };
};

const readOutputs = async (stack: string): Promise<ReadonlyMap<string, string>> => {
  const answer = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stack })).catch((cause: unknown) => {
    throw new UserError(`The stack ${stack} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`);
  });
  const outputs = answer.Stacks?.[0]?.Outputs ?? [];
  const values = new Map(outputs.map((output) => [output.OutputKey ?? "", output.OutputValue ?? ""]));
  if (!values.has(STACK_OUTPUTS.table))
    throw new UserError(`The stack ${stack} has no output ${STACK_OUTPUTS.table}: is it this platform's?`);
  return values;
};
