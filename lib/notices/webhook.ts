import type { Ports } from "../ports/ports.ts";
import { urlProblem } from "./allowed-url.ts";
import { postJson, Unreachable } from "./post/post.ts";

/** How a try to send something came out. */
export interface Outcome {
  readonly status: number | null;
  /** A sentence to the receiver's owner; null where it arrived. */
  readonly error: string | null;
}

/**
 * Posts a body of JSON to an address of a customer's, if its host is one that the deployment allows. Whatever the receiver does wrong is
 * the outcome's `error`.
 */
export const sendWebhook = async (
  { config }: Pick<Ports, "config">,
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> => {
  const problem = urlProblem(url, config.webhookHosts);
  if (problem !== undefined) return { status: null, error: problem };
  try {
    const status = await postJson(new URL(url), body, headers);
    return { status, error: status >= 200 && status <= 299 ? null : refusal(status) };
  } catch (fault) {
    if (!(fault instanceof Unreachable)) throw fault;
    return { status: null, error: fault.message };
  }
};

const refusal = (status: number): string =>
  status >= 300 && status <= 399 ? `It answered ${status}, and redirects are not followed.` : `It answered ${status}.`;
