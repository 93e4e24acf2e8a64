import { useEffect, useState } from "preact/hooks";
import { type Answered, answered, isFresh, load, subscribe } from "./answers.ts";
import type { Call } from "./client.ts";
import { ApiProblem, isKeyRefused, KEY_ENDED, Unreachable } from "./problems.ts";
import { useSession } from "./session.ts";

export interface CallOptions {
  /** How long an answer is shown without asking again, milliseconds. */
  readonly freshMs?: number;
  /** Asks again by itself while the page is visible, milliseconds. */
  readonly everyMs?: number;
}

export interface CallState<T> {
  readonly data: T | undefined;
  /** When the data came. */
  readonly at: number | undefined;
  readonly problem: Error | undefined;
  /** Asks now, whatever is known. */
  again(): void;
}

const FRESH_MS = 10_000;

/** How long after silence it is asked again, milliseconds. */
const SILENCE_MS = 5_000;

/**
 * The answer of a call, asked for when it is first wanted and kept for a while; nothing is asked where there is no call. Older data
 * stays while newer is on its way. A refusal that says when to ask again is followed, and silence is asked again until something answers.
 * A call that nobody waits for any more is ended.
 */
export const useCall = <T>(call: Call<T> | undefined, { freshMs = FRESH_MS, everyMs }: CallOptions = {}): CallState<T> => {
  const { key, signOut } = useSession();
  const [, redraw] = useState({});
  const name = call && `${call.method} ${call.path} ${JSON.stringify(call.body ?? null)}`;

  useEffect(() => {
    if (name === undefined || call === undefined) return undefined;
    const leave = subscribe(name, () => {
      redraw({});
      if (isKeyRefused(answered(name).problem)) signOut(KEY_ENDED);
    });
    const refresh = (): void => {
      if (!document.hidden) void load(name, call, key);
    };
    if (!isFresh(name, freshMs)) void load(name, call, key);
    const timer = everyMs === undefined ? undefined : setInterval(refresh, everyMs);
    return () => {
      leave();
      clearInterval(timer);
    };
    // The name says all of the call that matters.
  }, [name, key, everyMs]);

  const { data, at, problem }: Answered = name === undefined ? {} : answered(name);
  const again = (): void => {
    if (name !== undefined && call !== undefined) void load(name, call, key);
  };

  useEffect(() => {
    if (!(problem instanceof Unreachable)) return undefined;
    const seen = (): void => {
      if (!document.hidden) again();
    };
    const timer = setInterval(seen, SILENCE_MS);
    addEventListener("online", seen);
    return () => {
      clearInterval(timer);
      removeEventListener("online", seen);
    };
  }, [problem]);

  useEffect(() => {
    const seconds = problem instanceof ApiProblem ? problem.retrySeconds : undefined;
    if (seconds === undefined) return undefined;
    const timer = setTimeout(again, seconds * 1_000);
    return () => clearTimeout(timer);
  }, [problem]);

  return { data: data as T | undefined, at, problem, again };
};
