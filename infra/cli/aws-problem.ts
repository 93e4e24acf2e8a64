import { UserError } from "../local/user-error.ts";

/** What the services and their clients say, and what somebody can do about it; the first that fits. */
const KINDS: readonly { readonly says: RegExp; readonly sentence: (message: string) => string }[] = [
  { says: /region is missing/i, sentence: () => "No region is set: set AWS_REGION, for example AWS_REGION=eu-central-1." },
  {
    says: /^(Credentials|Token)ProviderError|could not load credentials/i,
    sentence: () => "No AWS credentials were found: sign in with `aws sso login` or set AWS_PROFILE, then run this again.",
  },
  {
    says: /signature (expired|not yet current)|RequestTimeTooSkewed|RequestExpired/i,
    sentence: () => "This machine's clock is not that of AWS: set it, then run this again.",
  },
  {
    says: /expired|InvalidClientTokenId|UnrecognizedClient|security token|InvalidAccessKeyId/i,
    sentence: () => "The AWS credentials are not valid any more: sign in again, then run this again.",
  },
  // A question without a body is answered without one, by a status alone.
  { says: /AccessDenied|not authorized|^\S+ 403 /i, sentence: (message) => `These AWS credentials may not do this: ${message}` },
  {
    says: /Throttl|TooManyRequests|rate exceeded|SlowDown|RequestLimitExceeded|ThroughputExceeded/i,
    sentence: (message) => `AWS asks for patience (${message}): run this again in a minute.`,
  },
];

/**
 * What a service of AWS refused, or kept from being asked, as a sentence that says what to do; undefined for anything else, such as a fault of
 * ours that it noticed.
 */
export const awsProblem = (thrown: unknown): UserError | undefined => {
  const fault = failureOf(thrown);
  return fault && (refusal(fault, thrown) ?? (isAway(fault) ? away(fault, thrown) : undefined));
};

/** The same of a question to the account: whatever comes of it in place of an answer is a problem with AWS. */
export const accessProblem = (thrown: unknown): UserError => {
  const fault = thrown instanceof Error ? thrown : new Error(String(thrown));
  return refusal(fault, thrown) ?? away(fault, thrown);
};

const refusal = (fault: Error, cause: unknown): UserError | undefined => {
  const { name, message } = fault;
  const said = [name, statusOf(fault), message].filter((each) => each !== undefined).join(" ");
  const kind = KINDS.find(({ says }) => says.test(said));
  return kind && new UserError(kind.sentence(message), { cause });
};

const away = ({ message }: Error, cause: unknown): UserError => new UserError(`AWS cannot be reached: ${message}`, { cause });

/** Does work that asks AWS, and throws a `UserError` for what it refused. */
export const askingAws = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    throw awsProblem(thrown) ?? thrown;
  }
};

/** As many causes are looked through: no fault of ours has more. */
const MAX_CAUSES = 5;

/** Of what is thrown without an answer's metadata: by the clients before they ask, and by what asks without a client. */
const NAMES = /^(Credentials|Token)ProviderError$|^SignedRefusal$/;
const TEXTS = /^region is missing|^the .* at .* cannot be reached:/i;

/** What a client of AWS threw, which may be the cause of a fault of ours. */
const failureOf = (thrown: unknown, depth = MAX_CAUSES): Error | undefined => {
  if (!(thrown instanceof Error) || thrown instanceof UserError) return undefined;
  if ("$metadata" in thrown || NAMES.test(thrown.name) || TEXTS.test(thrown.message)) return thrown;
  return depth > 0 ? failureOf(thrown.cause, depth - 1) : undefined;
};

/** Whether nobody answered, or nobody who could. */
const isAway = (fault: Error): boolean => {
  if (!("$metadata" in fault)) return TEXTS.test(fault.message);
  const status = statusOf(fault);
  return status === undefined || status >= 500;
};

/** With which status a service answered. */
const statusOf = (fault: Error): number | undefined => {
  const { httpStatusCode }: { readonly httpStatusCode?: number } = "$metadata" in fault ? Object(fault.$metadata) : {};
  return httpStatusCode;
};
