import { CloudFormationClient, DescribeStacksCommand, paginateListStackResources } from "@aws-sdk/client-cloudformation";
import { paginateListSubscriptionsByTopic, SNSClient } from "@aws-sdk/client-sns";

/** What an account says of the stacks in it. */
export interface StackAccount {
  /** The outputs of a stack; undefined where there is no such stack. */
  outputs(stack: string): Promise<ReadonlyMap<string, string> | undefined>;
  /** What a stack made, and what it left when it was rolled back; undefined where there is no such stack. */
  resources(stack: string): Promise<readonly StackResource[] | undefined>;
  /** Who a topic is sent to, and whether they have said that they want it. */
  subscribers(topic: string): Promise<readonly Subscriber[]>;
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

/** The stacks of the caller's own account, in the caller's region. */
export const callersStacks = (): StackAccount => ({
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
  async subscribers(topic) {
    const found: Subscriber[] = [];
    for await (const { Subscriptions = [] } of paginateListSubscriptionsByTopic({ client: new SNSClient({}) }, { TopicArn: topic }))
      for (const { Endpoint: address = "", SubscriptionArn: arn = "" } of Subscriptions)
        found.push({ address, confirmed: arn.startsWith("arn:") });
    return found;
  },
});

const isNoStack = (thrown: unknown): boolean => thrown instanceof Error && thrown.message.includes("does not exist");
