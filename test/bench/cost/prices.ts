/** One price: dollars for one of the unit, which `per` says in words. */
export interface Price {
  readonly usd: number;
  readonly per: string;
  readonly source: string;
}

/** When the prices were written down, for the region us-east-1. List prices: no free tier, no discount is counted. */
export const PRICES_OF = "us-east-1, list prices as of November 2026";

const MILLION = 1_000_000;

export const PRICES = {
  gatewayRequests: { usd: 3.5 / MILLION, per: "request to a REST API", source: "aws.amazon.com/api-gateway/pricing" },
  functionRequests: { usd: 0.2 / MILLION, per: "invocation", source: "aws.amazon.com/lambda/pricing" },
  functionGbSeconds: { usd: 0.0000133334, per: "GB-second on arm64", source: "aws.amazon.com/lambda/pricing" },
  functionDiskGbSeconds: { usd: 0.0000000309, per: "GB-second of disk above 512 MB", source: "aws.amazon.com/lambda/pricing" },
  queueRequests: { usd: 0.4 / MILLION, per: "request of up to 64 KB", source: "aws.amazon.com/sqs/pricing" },
  tableWrites: { usd: 0.625 / MILLION, per: "write request unit", source: "aws.amazon.com/dynamodb/pricing/on-demand" },
  tableReads: { usd: 0.125 / MILLION, per: "read request unit", source: "aws.amazon.com/dynamodb/pricing/on-demand" },
  tableGbMonths: { usd: 0.25 + 0.2, per: "GB-month, with point-in-time recovery", source: "aws.amazon.com/dynamodb/pricing/on-demand" },
  objectWrites: { usd: 5 / MILLION, per: "PUT, part or LIST", source: "aws.amazon.com/s3/pricing" },
  objectReads: { usd: 0.4 / MILLION, per: "GET", source: "aws.amazon.com/s3/pricing" },
  objectGbMonths: { usd: 0.023, per: "GB-month", source: "aws.amazon.com/s3/pricing" },
  transferGb: { usd: 0.09, per: "GB to the internet", source: "aws.amazon.com/ec2/pricing/on-demand" },
  functionLogGb: { usd: 0.25, per: "GB of functions' log lines, infrequently read", source: "aws.amazon.com/cloudwatch/pricing" },
  logGbMonths: { usd: 0.03, per: "GB-month of log lines kept", source: "aws.amazon.com/cloudwatch/pricing" },
  alarmMonths: { usd: 0.1, per: "metric of an alarm and month", source: "aws.amazon.com/cloudwatch/pricing" },
} as const satisfies Readonly<Record<string, Price>>;

export type Counted = keyof typeof PRICES;

/** What an account does not pay of a month's amounts, for as long as it exists: aws.amazon.com/free, "always free". */
export const FREE_A_MONTH: Readonly<Partial<Record<Counted, number>>> = {
  functionRequests: MILLION,
  functionGbSeconds: 400_000,
  queueRequests: MILLION,
  tableGbMonths: 25,
  functionLogGb: 5,
  logGbMonths: 5,
  alarmMonths: 10,
  transferGb: 100,
};
