import type { ServiceRequest } from "./asks.ts";
import { type Functions, functionName } from "./functions.ts";
import type { Secrets } from "./secrets.ts";
import type { Answer } from "./services.ts";
import type { MadeStage } from "./template.ts";

export interface OtherServices {
  readonly functions: Functions;
  readonly secrets: Secrets;
  stage(): MadeStage;
  failed(fault: unknown): void;
}

/** The services that no embedded part has: calls of functions, metrics, secrets, and the description of stacks. */
export const otherServices =
  ({ functions, secrets, stage, failed }: OtherServices) =>
  async (_caller: string, request: ServiceRequest): Promise<Answer> => {
    const { service, url, body } = request;
    if (service === "lambda") {
      const name = functionName(decodeURIComponent(url.pathname.split("/")[3] ?? ""));
      functions.start(name, JSON.parse(body.toString() || "{}")).catch(failed);
      return { status: 202, body: "" };
    }
    if (service === "monitoring") return { status: 200, type: "text/xml", body: "<PutMetricDataResponse/>" };
    if (service === "ssm" || service === "secretsmanager") return secrets.answer(request);
    if (service === "cloudformation") return describeStack(stage(), new URLSearchParams(body.toString()).get("StackName") ?? "");
    return { status: 501, body: `the rehearsal has no ${service}` };
  };

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** What CloudFormation says of a stack, or that there is none. */
export const describeStack = (stage: Pick<MadeStage, "outputs">, name: string): Answer => {
  const outputs = stage.outputs.get(name);
  if (outputs === undefined) {
    const error = `<Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${escaped(name)} does not exist</Message></Error>`;
    return { status: 400, type: "text/xml", body: `<ErrorResponse>${error}</ErrorResponse>` };
  }
  const member = ([key, value]: readonly [string, string]): string =>
    `<member><OutputKey>${key}</OutputKey><OutputValue>${escaped(value)}</OutputValue></member>`;
  const made = `<StackName>${name}</StackName><StackStatus>CREATE_COMPLETE</StackStatus><Outputs>${[...outputs].map(member).join("")}</Outputs>`;
  const result = `<DescribeStacksResult><Stacks><member>${made}</member></Stacks></DescribeStacksResult>`;
  const body = `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/">${result}</DescribeStacksResponse>`;
  return { status: 200, type: "text/xml", body };
};
