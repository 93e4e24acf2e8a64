import { Sha256 } from "@smithy/core/checksum";
import { SignatureV4 } from "@smithy/signature-v4";

/** How much of a refusal the log keeps. */
const REASON_CHARACTERS = 200;

/** A service of the region, and who asks it. */
export interface SignedPlace {
  readonly url: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string };
}

interface SignedService {
  /** As signatures name it. */
  readonly service: string;
  /** As an error names it. */
  readonly called: string;
  readonly path: string;
  readonly contentType: string;
  readonly timeoutMs: number;
}

/** The answer of a service that refuses. */
export class SignedRefusal extends Error {
  override readonly name = "SignedRefusal";
  readonly answer: string;
  constructor(called: string, status: number, answer: string) {
    super(`the ${called} answered ${status}: ${answer.slice(0, REASON_CHARACTERS)}`);
    this.answer = answer;
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : "the connection failed");

/**
 * Posts a body to a service with no client of its own here, signed by the signer that the clients of table, queues and store bring
 * along, and returns what it answers. Throws a `SignedRefusal` where the service refuses.
 */
export const signedPost = ({ url, region, credentials }: SignedPlace, { service, called, path, contentType, timeoutMs }: SignedService) => {
  const { protocol, host, hostname } = new URL(url);
  const signer = new SignatureV4({ service, region, credentials, sha256: Sha256 });
  return async (body: string, more: Readonly<Record<string, string>> = {}): Promise<string> => {
    const headers = { host, "content-type": contentType, ...more };
    const signed = await signer.sign({ method: "POST", protocol, hostname, path, headers, body });
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await fetch(new URL(path, url), { method: "POST", headers: signed.headers, body, signal }).catch((thrown: unknown) => {
      // What fetch itself says of a connection that fails names neither the service nor the reason.
      if (!(thrown instanceof TypeError)) throw thrown;
      throw new Error(`the ${called} at ${host} cannot be reached: ${reasonOf(thrown.cause)}`, { cause: thrown });
    });
    const answer = await reply.text();
    if (!reply.ok) throw new SignedRefusal(called, reply.status, answer);
    return answer;
  };
};
