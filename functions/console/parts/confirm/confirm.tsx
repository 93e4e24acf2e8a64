import { useEffect, useRef, useState } from "preact/hooks";

interface ConfirmButtonProps {
  /** What it does, as a verb. */
  readonly title: string;
  /** What it does to what, for readers of screens where several stand on a page. */
  readonly label?: string;
  /** What cannot be undone, asked before it is done. */
  readonly question: string;
  readonly disabled?: boolean;
  act(): void;
}

/** A button for what cannot be undone: it asks once more, in its place. */
export const ConfirmButton = ({ title, label, question, disabled = false, act }: ConfirmButtonProps) => {
  const [isAsking, setAsking] = useState(false);
  const box = useRef<HTMLSpanElement>(null);
  const asked = useRef(isAsking);
  useEffect(() => {
    // The button that was pressed is gone; its place keeps the focus, as soon as one there can take it.
    if (asked.current === isAsking || (disabled && !isAsking)) return;
    asked.current = isAsking;
    const active = document.activeElement;
    if (active === document.body || box.current?.contains(active)) box.current?.querySelector("button")?.focus();
  }, [isAsking, disabled]);
  const cancel = (): void => setAsking(false);
  return (
    <span ref={box} class="confirm">
      {isAsking ? (
        // biome-ignore lint/a11y/useSemanticElements: a field set would not stand in a line.
        <span role="group" aria-label={question} onKeyDown={({ key }) => key === "Escape" && cancel()}>
          <span>{question}</span>
          <button type="button" onClick={cancel}>
            Keep
          </button>
          <button
            type="button"
            class="wrong"
            disabled={disabled}
            onClick={() => {
              cancel();
              act();
            }}
          >
            {title}
          </button>
        </span>
      ) : (
        <button type="button" aria-label={label} disabled={disabled} onClick={() => setAsking(true)}>
          {title}
        </button>
      )}
    </span>
  );
};
