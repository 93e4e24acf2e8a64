import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps {
  readonly title: string;
  close(): void;
  readonly children: ComponentChildren;
}

/** A question or a text above the view. Escape, its button and a press beside it close it; the focus goes back to where it was. */
export const Dialog = ({ title, close, children }: DialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // Whoever is asked something begins with the answer, and not with the button that closes the question.
    dialog.current?.querySelector<HTMLElement>("input:enabled, select:enabled, textarea:enabled")?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself.
    <dialog ref={dialog} aria-labelledby={heading} onClose={close} onClick={({ target }) => target === dialog.current && close()}>
      <div class="dialog">
        <header>
          <h2 id={heading}>{title}</h2>
          <button type="button" class="quiet" onClick={close}>
            Close
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
};
