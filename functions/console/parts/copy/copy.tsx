import { useEffect, useState } from "preact/hooks";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  /** The text, or what makes it when it is wanted. */
  readonly text: string | (() => string);
  readonly label?: string;
  /** What it copies, for readers of screens, where several buttons have one label. */
  readonly about?: string;
}

/** A button that copies a text and says so. */
export const CopyButton = ({ text, label = "Copy", about }: CopyButtonProps) => {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  useEffect(() => {
    if (state === "idle") return undefined;
    const timer = setTimeout(() => setState("idle"), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : text());
      setState("copied");
    } catch {
      setState("refused");
    }
  };
  return (
    <button type="button" class="quiet" onClick={copy}>
      <span aria-live="polite">{state === "idle" ? label : state === "copied" ? "Copied" : "Not allowed here"}</span>
      {about && <span class="hidden"> {about}</span>}
    </button>
  );
};
