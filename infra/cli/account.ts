import {
  GetAccountSettingsCommand,
  GetFunctionConcurrencyCommand,
  GetFunctionRecursionConfigCommand,
  LambdaClient,
  ResourceNotFoundException,
} from "@aws-sdk/client-lambda";
import { GetQueueAttributesCommand, QueueDoesNotExist, SQSClient } from "@aws-sdk/client-sqs";
import { openSecrets } from "../../lib/aws/aws-secrets.ts";
import { UserError } from "../local/user-error.ts";
import { stackNames } from "../outputs.ts";
import { accessProblem } from "./aws-problem.ts";
import { callersSecrets } from "./callers-secrets.ts";
import { callersStacks, type StackAccount } from "./stack-account.ts";

/** The facts about an account that a deployment needs. */
export interface Account extends StackAccount {
  /** How many functions may run at once. */
  functionLimit(): Promise<number>;
  /** How many of these are reserved for no function. */
  unreservedFunctions(): Promise<number>;
  /** How many are reserved for a function; none where there is no such function. */
  reservedFor(functionName: string): Promise<number>;
  /** Messages in a queue, those in work among them; none where there is no such queue. */
  messages(queueUrl: string): Promise<number>;
  /** Whether a function may be called by what it sent itself, as often as it sends. */
  loopsAllowed(functionName: string): Promise<boolean>;
  /** Whether something lies under the name of a parameter, or the ARN of a secret. */
  hasSecret(name: string): Promise<boolean>;
}

const functionLimits = async () => (await new LambdaClient({}).send(new GetAccountSettingsCommand({}))).AccountLimit;

/** The account of the caller's own credentials, in the caller's region. */
export const callersAccount = (): Account => ({
  ...callersStacks(),
  functionLimit: async () => (await functionLimits())?.ConcurrentExecutions ?? 0,
  unreservedFunctions: async () => (await functionLimits())?.UnreservedConcurrentExecutions ?? 0,
  async reservedFor(functionName) {
    const command = new GetFunctionConcurrencyCommand({ FunctionName: functionName });
    try {
      return (await new LambdaClient({}).send(command)).ReservedConcurrentExecutions ?? 0;
    } catch (thrown) {
      // Somebody removed it by hand: the deployment says so, and nothing is reserved for it.
      if (thrown instanceof ResourceNotFoundException) return 0;
      throw thrown;
    }
  },
  async messages(queueUrl) {
    const AttributeNames = [
      "ApproximateNumberOfMessages",
      "ApproximateNumberOfMessagesNotVisible",
      "ApproximateNumberOfMessagesDelayed",
    ] as const;
    try {
      const { Attributes = {} } = await new SQSClient({}).send(
        new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...AttributeNames] }),
      );
      return AttributeNames.reduce((sum, attribute) => sum + Number(Attributes[attribute] ?? 0), 0);
    } catch (thrown) {
      if (thrown instanceof QueueDoesNotExist) return 0;
      throw thrown;
    }
  },
  async loopsAllowed(functionName) {
    const { RecursiveLoop } = await new LambdaClient({}).send(new GetFunctionRecursionConfigCommand({ FunctionName: functionName }));
    return RecursiveLoop === "Allow";
  },
  async hasSecret(name) {
    return openSecrets(await callersSecrets()).isThere(name);
  },
});

/** The stack that the CDK's own bootstrapping makes. */
const BOOTSTRAP_STACK = "CDKToolkit";
/** The three consumers take up to seven functions at once, and tables three more while any are made; the rest answers requests. */
const LEAST_FUNCTIONS = 10;
const COMFORTABLE_FUNCTIONS = 50;

/**
 * Looks whether a deployment can succeed, and throws a `UserError` with the one thing to do where it cannot. Returns sentences that
 * the person should read all the same.
 */
export const checkAccount = async (account: Account): Promise<readonly string[]> => {
  const toolkit = await outputsOf(account, BOOTSTRAP_STACK);
  if (toolkit === undefined)
    throw new UserError("This account and region are not prepared for the CDK: run `npx cdk bootstrap` once, then this again.");
  const limit = await account.functionLimit().catch((thrown: unknown) => {
    throw accessProblem(thrown);
  });
  if (limit < LEAST_FUNCTIONS)
    throw new UserError(
      `This account may run ${limit} functions at once and the platform needs ${LEAST_FUNCTIONS}: ask for more "Concurrent executions" of AWS Lambda under Service Quotas.`,
    );
  return limit < COMFORTABLE_FUNCTIONS
    ? [
        `This account may run ${limit} functions at once, enough to begin with; ask for more "Concurrent executions" of AWS Lambda under Service Quotas before real traffic.`,
      ]
    : [];
};

/** The outputs of a stack, undefined where there is none. Throws a `UserError` where the account cannot be asked. */
export const outputsOf = (account: Pick<Account, "outputs">, stack: string): ReturnType<Account["outputs"]> =>
  account.outputs(stack).catch((thrown: unknown) => {
    throw accessProblem(thrown);
  });

/**
 * How many functions a stage may share out: what is reserved for others in the account, such as another stage's, is theirs, and whoever
 * reserved it a second time would be refused in the middle of a deployment. Throws a `UserError`.
 */
export const functionsToShare = async (
  account: Pick<Account, "resources" | "unreservedFunctions" | "reservedFor">,
  stage: string,
): Promise<number> => {
  const { ingest, workers } = stackNames(stage);
  try {
    const made = (await Promise.all([ingest, workers].map((stack) => account.resources(stack)))).flatMap((resources) => resources ?? []);
    const own = made.filter(({ type }) => type === "AWS::Lambda::Function");
    const reserved = await Promise.all(own.map(({ name }) => account.reservedFor(name)));
    return (await account.unreservedFunctions()) + reserved.reduce((sum, each) => sum + each, 0);
  } catch (thrown) {
    throw accessProblem(thrown);
  }
};
