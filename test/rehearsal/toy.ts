import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BootOptions, boot, type Standing } from "./boot.ts";
import { readOutput } from "./template.ts";

/** A stage of one host, one queue with its dead letters, and one function of a few lines behind both. */
export interface Toy {
  /** The module of the function; `send(text)` in it sends a message to the queue. */
  readonly handler: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  /** What its role may do; to work its queue it has to receive and delete. */
  readonly actions?: readonly string[];
  readonly deliveries?: number;
}

const PREAMBLE = `
export const send = (text) => fetch(process.env.AWS_ENDPOINT_URL, {
  method: "POST",
  headers: {
    authorization: \`AWS4-HMAC-SHA256 Credential=\${process.env.AWS_ACCESS_KEY_ID}/20260101/us-east-1/sqs/aws4_request, SignedHeaders=host, Signature=0\`,
    "x-amz-target": "AmazonSQS.SendMessage",
    "content-type": "application/x-amz-json-1.0",
    "x-amzn-trace-id": process.env._X_AMZN_TRACE_ID,
  },
  body: JSON.stringify({ QueueUrl: process.env.QUEUE_URL, MessageBody: text }),
});
`;

const WORK = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];
const ref = (id: string) => ({ Ref: id });
const arn = (id: string) => ({ "Fn::GetAtt": [id, "Arn"] });
const joined = (...parts: readonly unknown[]) => ({ "Fn::Join": ["", parts] });

const resources = ({ properties, actions = ["sqs:SendMessage"], deliveries = 3 }: Toy) => ({
  dead: { Type: "AWS::SQS::Queue" },
  queue: {
    Type: "AWS::SQS::Queue",
    Properties: { VisibilityTimeout: 60, RedrivePolicy: { deadLetterTargetArn: arn("dead"), maxReceiveCount: deliveries } },
  },
  role: {
    Type: "AWS::IAM::Role",
    Properties: {
      AssumeRolePolicyDocument: {
        Statement: [{ Effect: "Allow", Action: "sts:AssumeRole", Principal: { Service: "lambda.amazonaws.com" } }],
      },
    },
  },
  policy: {
    Type: "AWS::IAM::Policy",
    Properties: {
      Roles: [ref("role")],
      PolicyDocument: {
        Statement: [
          { Effect: "Allow", Action: [...WORK, ...actions], Resource: arn("queue") },
          { Effect: "Allow", Action: "logs:*", Resource: "*" },
        ],
      },
    },
  },
  worker: {
    Type: "AWS::Lambda::Function",
    Properties: {
      Code: { S3Key: "toy.zip" },
      Handler: "handler.handler",
      MemorySize: 512,
      Timeout: 10,
      Role: arn("role"),
      Environment: { Variables: { QUEUE_URL: ref("queue") } },
      ...properties,
    },
  },
  mapping: {
    Type: "AWS::Lambda::EventSourceMapping",
    Properties: {
      EventSourceArn: arn("queue"),
      FunctionName: ref("worker"),
      BatchSize: 10,
      FunctionResponseTypes: ["ReportBatchItemFailures"],
    },
  },
  api: { Type: "AWS::ApiGateway::RestApi", Properties: { Name: "toy-ingest", BinaryMediaTypes: ["*/*"] } },
  stage: { Type: "AWS::ApiGateway::Stage", Properties: { StageName: "v1", RestApiId: ref("api") } },
  things: {
    Type: "AWS::ApiGateway::Resource",
    Properties: { RestApiId: ref("api"), ParentId: { "Fn::GetAtt": ["api", "RootResourceId"] }, PathPart: "things" },
  },
  things_any: {
    Type: "AWS::ApiGateway::Method",
    Properties: {
      RestApiId: ref("api"),
      ResourceId: ref("things"),
      HttpMethod: "ANY",
      Integration: { Uri: joined("arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/", arn("worker"), "/invocations") },
    },
  },
  permission: {
    Type: "AWS::Lambda::Permission",
    Properties: {
      Principal: "apigateway.amazonaws.com",
      FunctionName: arn("worker"),
      SourceArn: joined("arn:aws:execute-api:us-east-1:", { Ref: "AWS::AccountId" }, ":", ref("api"), "/*/*/*"),
    },
  },
});

/** Writes such a synthesis, stands it up, and takes it down after the work. */
export const withToy = async (toy: Toy, work: (standing: Standing) => Promise<void>, options: BootOptions = {}): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "toy-"));
  const json = (name: string, value: unknown) => writeFile(join(folder, name), JSON.stringify(value));
  await mkdir(join(folder, "code"));
  await writeFile(join(folder, "code", "handler.mjs"), PREAMBLE + toy.handler);
  await json("toy.template.json", { Resources: resources(toy) });
  await json("toy.assets.json", { files: { toy: { source: { path: "code" } } } });
  await json("manifest.json", {
    artifacts: { toy: { type: "aws:cloudformation:stack", properties: { templateFile: "toy.template.json" } } },
  });
  const standing = await boot(readOutput(folder), options);
  try {
    await work(standing);
  } finally {
    await standing.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
