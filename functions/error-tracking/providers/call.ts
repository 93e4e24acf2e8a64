import type * as z from "zod";
import { readText, TooLong } from "../../../lib/core/read-text.ts";
import type { Fields } from "../../../lib/event/fields.ts";

/** A call to a provider. It goes to `base`, which the deployment's settings name, and nowhere else: redirects are not followed. */
export interface ProviderCall {
  readonly base: string;
  readonly method: "GET" | "POST";
  /** Begins with a slash; every part of it that comes from a caller is encoded. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Fields;
  /** Ends the call; see `deadline`. */
  readonly signal: AbortSignal;
}

/** A provider that did not do what was asked. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  /** The status of the provider's answer; null where it did not answer. */
  readonly status: number | null;
  /** How long it wants to be left alone, where it has had too many calls. */
  readonly waitSeconds: number | null;
  constructor(
    message: string,
    { status = null, waitSeconds = null, ...options }: { status?: number | null; waitSeconds?: number | null } & ErrorOptions = {},
  ) {
    super(message, options);
    this.status = status;
    this.waitSeconds = waitSeconds;
  }
}

/** All calls that one request makes end together, well before the gateway gives up on it. */
const MOST_MS = 10_000;
export const deadline = (): AbortSignal => AbortSignal.timeout(MOST_MS);

/** Far more than a page of issues or a hit of a code search has. */
const MOST_BYTES = 4_000_000;

/** The JSON that a provider answers. Throws `ProviderFailure`. */
export const callProvider = async ({ base, method, path, headers, body, signal }: ProviderCall): Promise<unknown> => {
  const response = await send(`${base}${path}`, {
    method,
    redirect: "manual",
    signal,
    headers: {
      accept: "application/json",
      "user-agent": "error-tracking",
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status < 200 || response.status > 299) throw await refusal(response);
  const text = await readAnswer(response);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFailure("the provider's answer is no JSON", { status: response.status });
  }
};

/** A provider's answer as its documentation has it. Throws `ProviderFailure`. */
export const parseAnswer = <S extends z.ZodType>(schema: S, answer: unknown): z.output<S> => {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new ProviderFailure("the provider's answer is not what it documents");
  return parsed.data;
};

const send = async (url: string, options: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, options);
  } catch (cause) {
    throw new ProviderFailure("the provider cannot be reached", { cause });
  }
};

const readAnswer = async (response: Response): Promise<string> => {
  try {
    return await readText(response, MOST_BYTES);
  } catch (error) {
    const what = error instanceof TooLong ? "is too long" : "broke off";
    throw new ProviderFailure(`the provider's answer ${what}`, { status: response.status });
  }
};

const DEFAULT_WAIT_SECONDS = 60;
const MOST_WAIT_SECONDS = 3_600;

/** GitHub says with 403, and Linear in the text of a 400, what others say with 429. No other text is read: it may be anything, and without an end. */
const refusal = async (response: Response): Promise<ProviderFailure> => {
  const { status, headers } = response;
  const text = status === 400 ? await readAnswer(response) : "";
  await response.body?.cancel().catch(() => undefined);
  const isForbidden = status === 403 && (headers.has("retry-after") || headers.get("x-ratelimit-remaining") === "0");
  const isSpent = isForbidden || (status === 400 && text.includes('"RATELIMITED"'));
  if (status !== 429 && !isSpent) return new ProviderFailure(`the provider answered ${status}`, { status });
  const wait = Number(headers.get("retry-after") ?? Number.NaN);
  const waitSeconds = Number.isFinite(wait) && wait > 0 ? Math.min(wait, MOST_WAIT_SECONDS) : DEFAULT_WAIT_SECONDS;
  return new ProviderFailure("the provider has had too many calls", { status, waitSeconds });
};
