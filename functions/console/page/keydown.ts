import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Hears each key that is pressed anywhere, from the moment in which the view is there: an effect that waits for the next picture would miss
 * what comes before it. `capture` hears it before all others do.
 */
export const useKeydown = (pressed: (event: KeyboardEvent) => void, { capture = false } = {}): void => {
  const latest = useRef(pressed);
  latest.current = pressed;
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent): void => latest.current(event);
    addEventListener("keydown", hear, { capture });
    return () => removeEventListener("keydown", hear, { capture });
  }, []);
};
