import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../../../parts/copy/copy.tsx";

/** The value of a key that was just made or rolled. */
export interface ShownValue {
  readonly label: string;
  readonly value: string;
  /** What became of the value before, where there was one. */
  readonly before?: string;
}

/** Shows a value for the only time. */
export const NewValue = ({ label, value, before, done }: ShownValue & { done(): void }) => {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <section class="new-value" ref={box} tabIndex={-1} aria-label="New value">
      <p>
        The value of “{label}”. It is not shown again: copy it now. {before}
      </p>
      <p class="value">
        <code>{value}</code>
        <CopyButton text={value} />
      </p>
      <button type="button" onClick={done}>
        Hide it
      </button>
    </section>
  );
};
