import { ApiError, invalid, throttled } from "../../../lib/http/errors.ts";
import { ProviderFailure } from "./call.ts";

/** What `ask` answers. Where the provider fails it throws the answer to the caller: 429 where it has had too many calls, else 400. */
export const withProviderErrors = async <T>(kind: string, ask: () => Promise<T>): Promise<T> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error;
    if (error.waitSeconds !== null) throw throttled(error.waitSeconds);
    const told = invalid(null, `The ${kind} integration could not do this: ${error.message}. Check that it is connected and may do it.`);
    throw new ApiError(told.status, told.body, { cause: error });
  }
};
