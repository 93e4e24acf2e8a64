/** What the API said when it refused. */
export class ApiProblem extends Error {
  override readonly name = "ApiProblem";
  readonly status: number;
  readonly code: string;
  /** The field that is wrong, nested parts joined by `__`. */
  readonly attr: string | null;
  /** When the same call may pass, after a 429. */
  readonly retrySeconds: number | undefined;

  constructor(status: number, body: unknown, retryAfter: string | null = null) {
    const { detail, code, attr, error } = Object(body);
    super(String(detail ?? error ?? `The API answered ${status}.`));
    this.status = status;
    this.code = String(code ?? "error");
    this.attr = typeof attr === "string" ? attr : null;
    this.retrySeconds = retryAfter === null ? undefined : Number(retryAfter) || undefined;
  }
}

/** Nothing answered: the network, or the platform, is away. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
  constructor() {
    super("The platform does not answer: the network, or the platform itself, is away.");
  }
}

/** Whether the API refused the key itself: the session ends with it. */
export const isKeyRefused = (problem: unknown): problem is ApiProblem => problem instanceof ApiProblem && problem.status === 401;

/** Said where a session ends because of that. */
export const KEY_ENDED = "This key opens nothing any more.";
