import { useEffect, useState } from "preact/hooks";
import type { Call } from "./client.ts";
import { ApiProblem, isKeyRefused, KEY_ENDED } from "./problems.ts";
import { useSession } from "./session.ts";

interface Follow<T> {
  /** What is followed: where it changes, it begins anew. */
  readonly name: string;
  /** How long after an answer the next is asked for, milliseconds. */
  readonly everyMs: number;
  /** The call for what came since an answer; without one, for the beginning. */
  call(after: T | undefined): Call<T>;
  received(answer: T): void;
}

export interface Following {
  readonly problem: Error | undefined;
  /** When the last answer came. */
  readonly at: number | undefined;
}

/**
 * Asks again and again for what came since, one call at a time, while the page is visible. A refusal for a while, or silence, ends
 * nothing: it is asked again as soon as the API allows. Answers are kept by whoever receives them.
 */
export const useFollow = <T>({ name, everyMs, call, received }: Follow<T>): Following => {
  const { key, signOut } = useSession();
  const [state, setState] = useState<Following>(NOTHING);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let last: T | undefined;
    let isAsking = false;

    /** How long until it is asked again; undefined where another try would be refused as well. */
    const waitAfter = (problem: Error): number | undefined => {
      if (!(problem instanceof ApiProblem) || problem.status >= 500) return everyMs;
      if (problem.status === 429) return (problem.retrySeconds ?? 1) * 1_000;
      // What was refused with where it goes on from may pass from the beginning.
      const mayPass = last !== undefined;
      last = undefined;
      return mayPass ? everyMs : undefined;
    };

    const ask = async (): Promise<void> => {
      if (document.hidden || isAsking) return;
      clearTimeout(timer);
      isAsking = true;
      let waitMs: number | undefined = everyMs;
      try {
        last = await call(last).send(key, signal);
        received(last);
        setState({ problem: undefined, at: Date.now() });
      } catch (thrown) {
        if (signal.aborted) return;
        const problem = thrown instanceof Error ? thrown : new Error(String(thrown));
        if (isKeyRefused(problem)) return signOut(KEY_ENDED);
        setState(({ at }) => ({ problem, at }));
        waitMs = waitAfter(problem);
      } finally {
        isAsking = false;
      }
      if (waitMs !== undefined) timer = setTimeout(ask, waitMs);
    };
    const seen = (): void => void ask();
    setState(NOTHING);
    void ask();
    document.addEventListener("visibilitychange", seen);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", seen);
    };
    // The name says all of it that matters.
  }, [name, key]);

  return state;
};

const NOTHING: Following = { problem: undefined, at: undefined };
