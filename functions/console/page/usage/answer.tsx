import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ApiProblem } from "../../calls/problems.ts";
import type { CallState } from "../../calls/use-call.ts";
import { Loaded } from "../../parts/state/state.tsx";

/** How long a call rests that was refused without saying for how long. */
const REST_SECONDS = 60;

interface AnswerProps<T> {
  readonly of: CallState<T>;
  readonly lines?: number;
  children(data: T): ComponentChildren;
}

/** Shows an answer; a call that came too often is asked again when it may pass. */
export function Answer<T>({ of, lines = 6, children }: AnswerProps<T>) {
  const { problem, again } = of;
  const seconds = problem instanceof ApiProblem && problem.status === 429 ? (problem.retrySeconds ?? REST_SECONDS) : undefined;
  useEffect(() => {
    if (seconds === undefined) return undefined;
    const timer = setTimeout(again, seconds * 1_000);
    return () => clearTimeout(timer);
  }, [problem]);
  return (
    <>
      <Loaded of={of} lines={lines}>
        {children}
      </Loaded>
      {seconds !== undefined && <p class="note">It is asked again by itself then.</p>}
    </>
  );
}
