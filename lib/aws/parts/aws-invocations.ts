import type { Invocations } from "../../ports/invocations.ts";
import type { Log } from "../../ports/system.ts";
import { type SignedPlace, signedPost } from "./signed-post.ts";

const LAMBDA = { service: "lambda", called: "function service", contentType: "application/json", timeoutMs: 2_000 };

export interface InvocationsPlace extends SignedPlace {
  /** The full name of the function behind each of ours. */
  readonly functions: Readonly<Record<string, string>>;
}

/** Asynchronous calls of functions: the service takes a call and answers before anything runs. */
export const openInvocations = ({ functions, ...place }: InvocationsPlace, log: Log): Invocations => ({
  async start(name) {
    try {
      const post = signedPost(place, { ...LAMBDA, path: `/2015-03-31/functions/${functions[name]}/invocations` });
      await post("{}", { "x-amz-invocation-type": "Event" });
      return true;
    } catch (thrown) {
      log.line("warn", "function.not_started", { function: name, reason: String(thrown) });
      return false;
    }
  },
});
