import { CfnOutput, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import * as apigateway from "aws-cdk-lib/aws-apigateway";
import * as acm from "aws-cdk-lib/aws-certificatemanager";
import * as logs from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { type Notices, watched } from "./alarm.ts";
import { traced } from "./traces.ts";

/** The last part of both hosts' addresses where these are the gateway's own, which wants one. */
const STAGE = "v1";

/** An address of one's own for a host. */
export interface HostDomain {
  readonly name: string;
  /** The ARN of a certificate for it, in the stage's region. */
  readonly certificate: string;
}

/** The address of a host that has a domain. */
export const domainUrl = ({ name }: HostDomain): string => `https://${name}`;

export interface RestApi {
  readonly api: apigateway.RestApi;
  /** The address without a final slash. Names the API only, not its deployment, so that its own functions may know it. */
  readonly url: string;
}

/** The output of a host's stack that says where the domain of its own has to point. */
export const domainTarget = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}DomainTarget`;

/** One public host: a regional REST API that answers errors of its own in the platform's words. */
export const restApi = (
  scope: Construct,
  name: string,
  options: {
    readonly binaryMediaTypes: readonly string[];
    readonly notices: Notices;
    /** A line for each request from the gateway itself: of use where not every request reaches a function. */
    readonly accessLog: boolean;
    /** Requests of a second that are let through to each method, twice as many in a burst: what comes beyond costs no function. */
    readonly perSecond: number;
    readonly domain: HostDomain | undefined;
  },
): RestApi => {
  const stack = Stack.of(scope);
  const api = new apigateway.RestApi(scope, `${name}-api`, {
    restApiName: `${stack.stackName}-${name}`,
    endpointTypes: [apigateway.EndpointType.REGIONAL],
    binaryMediaTypes: [...options.binaryMediaTypes],
    cloudWatchRole: false,
    deployOptions: {
      stageName: STAGE,
      loggingLevel: apigateway.MethodLoggingLevel.ERROR,
      throttlingRateLimit: options.perSecond,
      throttlingBurstLimit: 2 * options.perSecond,
      ...(traced(scope) && { tracingEnabled: true }),
      ...(options.accessLog && accessLog(scope, name)),
    },
  });
  // The gateway would make this group itself when it writes its first line, and keep it for ever.
  const executionLog = new logs.LogGroup(scope, `${name}-execution-log`, {
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${STAGE}`,
    retention: logs.RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  api.deploymentStage.node.addDependency(executionLog);
  for (const [id, reply] of Object.entries(REPLIES))
    api.addGatewayResponse(id, { ...reply, responseHeaders: { ...ANY_ORIGIN, ...reply.responseHeaders } });
  watched(scope, options.notices, {
    article: `${name}-errors`,
    says: `The ${name} host answered with server errors.`,
    metric: api.metricServerError({ period: Duration.minutes(5), statistic: "Sum" }),
    above: 0,
  });
  if (!options.accessLog)
    Validations.of(api).acknowledge({
      id: "AwsSolutions-APIG1",
      reason: "Every request of this host reaches its function, which writes a line for it; a second line would only cost.",
    });
  for (const [id, reason] of Object.entries(ACKNOWLEDGED)) Validations.of(api).acknowledge({ id, reason });
  if (options.domain !== undefined) mapDomain(scope, name, api, options.domain);
  return {
    api,
    url:
      options.domain === undefined
        ? `https://${api.restApiId}.execute-api.${stack.region}.${stack.urlSuffix}/${STAGE}`
        : domainUrl(options.domain),
  };
};

/** Serves the host at the root of its domain, because some clients keep nothing of an address but the host. */
const mapDomain = (scope: Construct, name: string, api: apigateway.RestApi, domain: HostDomain): void => {
  const { domainName, domainNameAliasDomainName } = new apigateway.DomainName(scope, `${name}-domain`, {
    domainName: domain.name,
    certificate: acm.Certificate.fromCertificateArn(scope, `${name}-certificate`, domain.certificate),
    endpointType: apigateway.EndpointType.REGIONAL,
    securityPolicy: apigateway.SecurityPolicy.TLS_1_2,
  });
  // Without a path: the root.
  new apigateway.CfnBasePathMapping(scope, `${name}-mapping`, {
    domainName,
    restApiId: api.restApiId,
    stage: api.deploymentStage.stageName,
  });
  new CfnOutput(scope, domainTarget(name), { value: domainNameAliasDomainName });
};

const accessLog = (scope: Construct, name: string): Pick<apigateway.StageOptions, "accessLogDestination" | "accessLogFormat"> => ({
  accessLogDestination: new apigateway.LogGroupLogDestination(
    new logs.LogGroup(scope, `${name}-access-log`, { retention: logs.RetentionDays.ONE_MONTH, removalPolicy: RemovalPolicy.DESTROY }),
  ),
  accessLogFormat: apigateway.AccessLogFormat.custom(ACCESS_LINE),
});

/** The platform's own function writes who and how long; this line is for what never reached it. A path as sent may hold a token. */
const ACCESS_LINE = JSON.stringify({
  id: apigateway.AccessLogField.contextRequestId(),
  route: apigateway.AccessLogField.contextResourcePath(),
  status: apigateway.AccessLogField.contextStatus(),
});

const envelope = (type: string, code: string, detail: string): { readonly "application/json": string } => ({
  "application/json": JSON.stringify({ type, code, detail, attr: null }),
});

/** A page may read what the gateway answers, or its SDK would take a 413 or a 429 for a broken network. */
const ANY_ORIGIN = { "Access-Control-Allow-Origin": "'*'" } as const;

/** The gateway's own answers, in the words of `lib/http/errors.ts`. A path it does not know is 404, as everywhere. */
const REPLIES: Readonly<Record<string, apigateway.GatewayResponseOptions>> = {
  "unknown-path": {
    type: apigateway.ResponseType.MISSING_AUTHENTICATION_TOKEN,
    statusCode: "404",
    templates: envelope("invalid_request", "not_found", "Endpoint not found."),
  },
  "too-large": {
    type: apigateway.ResponseType.REQUEST_TOO_LARGE,
    statusCode: "413",
    templates: envelope("invalid_request", "payload_too_large", "The request is larger than the platform takes. Send less at once."),
  },
  throttled: {
    type: apigateway.ResponseType.THROTTLED,
    statusCode: "429",
    templates: envelope("throttled_error", "throttled", "Request was throttled. Try again in a second."),
    responseHeaders: { "Retry-After": "'1'" },
  },
  refused: {
    type: apigateway.ResponseType.DEFAULT_4XX,
    templates: envelope("invalid_request", "invalid_request", "The request could not be read."),
  },
  "too-slow": {
    type: apigateway.ResponseType.INTEGRATION_TIMEOUT,
    statusCode: "504",
    templates: envelope("server_error", "timeout", "The request took too long. Try again, or ask for less."),
  },
  failed: {
    type: apigateway.ResponseType.DEFAULT_5XX,
    templates: envelope("server_error", "error", "A server error occurred. Try again."),
  },
};

/** Findings of the nag rules that hold for both hosts, each with the reason why it stays. */
const ACKNOWLEDGED: Readonly<Record<string, string>> = {
  "AwsSolutions-APIG2": "Every request is validated by its function, which answers in the words of the contract.",
  "AwsSolutions-APIG3": "A firewall has a monthly price; whoever wants one attaches it to the stage, as the runbook says.",
  "AwsSolutions-APIG4": "Keys, project tokens and scopes are checked by the functions: the platform has its own keys.",
  "AwsSolutions-COG4": "Callers are programs with the platform's own keys, not people with passwords.",
};
