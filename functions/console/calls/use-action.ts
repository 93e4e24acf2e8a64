import { useEffect, useRef, useState } from "preact/hooks";
import { forgetAnswers } from "./answers.ts";
import type { Call } from "./client.ts";
import { isKeyRefused } from "./problems.ts";
import { useSession } from "./session.ts";

export interface Action {
  readonly running: boolean;
  readonly problem: Error | undefined;
  /** Sends a call that changes something; what begins with `changes` is asked for anew, where it is named. Gives the answer, or undefined where it failed. */
  run<T>(call: Call<T>, changes?: string): Promise<T | undefined>;
  /** Ends a call that runs. */
  cancel(): void;
  dismiss(): void;
}

/** Something that a person does, one at a time. */
export const useAction = (): Action => {
  const { key, signOut } = useSession();
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Error>();
  const abort = useRef<AbortController>(undefined);
  const keepFocus = useKeptFocus(isRunning);
  return {
    running: isRunning,
    problem,
    async run(call, changes) {
      const running = new AbortController();
      abort.current = running;
      keepFocus();
      setRunning(true);
      setProblem(undefined);
      try {
        const answer = await call.send(key, running.signal);
        if (changes !== undefined) forgetAnswers(changes);
        return answer;
      } catch (thrown) {
        if (isKeyRefused(thrown)) signOut(thrown.message);
        else if (!running.signal.aborted) setProblem(thrown instanceof Error ? thrown : new Error(String(thrown)));
        return undefined;
      } finally {
        setRunning(false);
      }
    },
    cancel: () => abort.current?.abort(),
    dismiss: () => setProblem(undefined),
  };
};

/**
 * A button that is switched off while its action runs loses the focus to nothing, and whoever works by keys would begin at the top of the
 * page again. It gets it back when it is on again, unless somebody went on meanwhile.
 */
const useKeptFocus = (isRunning: boolean): (() => void) => {
  const pressed = useRef<Element | null>(null);
  useEffect(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isRunning && isLost && pressed.current instanceof HTMLElement) pressed.current.focus();
    if (!isRunning) pressed.current = null;
  }, [isRunning]);
  return () => {
    pressed.current = document.activeElement;
  };
};
