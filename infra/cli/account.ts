import { CloudFormationClient, DescribeStacksCommand, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { GetAccountSettingsCommand, GetFunctionRecursionConfigCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";
import { GetQueueAttributesCommand, QueueDoesNotExist, SQSClient } from "@aws-sdk/client-sqs";
import { openSecrets } from "../../lib/aws/aws-secrets.ts";
import { UserError } from "../local/user-error.ts";
import { callersSecrets } from "./callers-secrets.ts";

/** The facts about an account that a deployment needs. */
export interface Account {
  /** The outputs of a stack; undefined where there is no such stack. */
  outputs(stack: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** What a stack made, and what it left when it was rolled back; undefined where there is no such stack. */
  resources(stack: string): Promise<readonly StackResource[] | undefined>;
  /** How many functions may run at once. */
  functionLimit(): Promise<number>;
  /** Messages in a queue, those in work among them; none where there is no such queue. */
  messages(queueUrl: string): Promise<number>;
  /** Whether a function may be called by what it sent itself, as often as it sends. */
  loopsAllowed(functionName: string): Promise<boolean>;
  /** Who a topic is sent to, and whether they have said that they want it. */
  subscribers(topic: string): Promise<readonly Subscriber[]>;
  /** Whether something lies under the name of a parameter, or the ARN of a secret. */
  hasSecret(name: string): Promise<boolean>;
}

/** Somebody whom a topic is sent to. */
export interface Subscriber {
  readonly address: string;
  /** Until then nothing is sent. */
  readonly confirmed: boolean;
}

/** A resource that is there, whatever has become of its stack. */
export interface StackResource {
  readonly type: string;
  /** The name that the service knows it by; of a queue, its address. */
  readonly name: string;
  /** The stack let go of it, and it stayed. */
  readonly left: boolean;
}

/** The account of the caller's own credentials, in the caller's region. */
export const callersAccount = (): Account => ({
  async outputs(stack) {
    try {
      const { Stacks = [] } = await new CloudFormationClient({}).send(new DescribeStacksCommand({ StackName: stack }));
      return new Map((Stacks[0]?.Outputs ?? []).map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue]));
    } catch (thrown) {
      if (isNoStack(thrown)) return undefined;
      throw thrown;
    }
  },
  async resources(stack) {
    const resources: StackResource[] = [];
    try {
      for await (const page of paginateListStackResources({ client: new CloudFormationClient({}) }, { StackName: stack }))
        for (const { ResourceType: type = "", PhysicalResourceId: name = "", ResourceStatus: status } of page.StackResourceSummaries ?? [])
          if (name !== "" && status !== "DELETE_COMPLETE") resources.push({ type, name, left: status === "DELETE_SKIPPED" });
      return resources;
    } catch (thrown) {
      if (isNoStack(thrown)) return undefined;
      throw thrown;
    }
  },
  async functionLimit() {
    const { AccountLimit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
    return AccountLimit?.ConcurrentExecutions ?? 0;
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
  async subscribers(topic) {
    const found: Subscriber[] = [];
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client: new SNSClient({}) }, { TopicArn: topic }))
      for (const { Endpoint: address = "", SubscriptionArn: arn = "" } of Subscriptions)
        found.push({ address, confirmed: arn.startsWith("arn:") });
    return found;
  },
  async hasSecret(name) {
    return openSecrets(await callersSecrets()).isThere(name);
  },
});

const isNoStack = (thrown: unknown): boolean => thrown instanceof Error && thrown.message.includes("does not exist");

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
  const toolkit = await account.outputs(BOOTSTRAP_STACK).catch((thrown: unknown) => {
    throw accessProblem(thrown);
  });
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

const accessProblem = (thrown: unknown): Error => {
  const { name, message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (/region is missing/i.test(message)) return new UserError("No region is set: set AWS_REGION, for example AWS_REGION=eu-central-1.");
  if (name === "CredentialsProviderError" || /could not load credentials/i.test(message))
    return new UserError("No AWS credentials were found: sign in with `aws sso login` or set AWS_PROFILE, then run this again.");
  if (/expired|InvalidClientTokenId|UnrecognizedClient|security token/i.test(`${name} ${message}`))
    return new UserError("The AWS credentials are not valid any more: sign in again, then run this again.");
  if (/AccessDenied|not authorized/i.test(`${name} ${message}`))
    return new UserError(`These AWS credentials may not look at the account: ${message}`);
  return new UserError(`AWS cannot be reached: ${message}`);
};
