import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Code } from "../code/code.tsx";
import { Ago } from "../time/time.tsx";

/** How long the old content stays before a place holder says that something is on its way. */
const PATIENCE_MS = 200;

/** What came, or did not: the same fields as those of an answered call. */
interface Came<T> {
  readonly data: T | undefined;
  readonly at?: number | undefined;
  readonly problem: Error | undefined;
}

interface LoadedProps<T> {
  readonly of: Came<T>;
  /** How many lines the place holder has, so that nothing jumps. */
  readonly lines?: number;
  children(data: T): ComponentChildren;
}

/** Shows what came; before it, a place holder of its size; where it did not, why. Older content stays, dimmed, with its time. */
export function Loaded<T>({ of, lines = 6, children }: LoadedProps<T>) {
  const { data, at, problem } = of;
  if (data === undefined) return problem ? <Problem problem={problem} /> : <Skeleton lines={lines} />;
  if (!problem) return <>{children(data)}</>;
  return (
    <>
      <Problem problem={problem}>
        {at !== undefined && (
          <>
            {" "}
            Last heard of <Ago at={at} />.
          </>
        )}
      </Problem>
      <div class="dimmed">{children(data)}</div>
    </>
  );
}

/** Lines in the place of content, from the moment when waiting is felt. */
export const Skeleton = ({ lines = 6 }: { readonly lines?: number }) => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class={`skeleton${isLate ? " late" : ""}`} aria-busy="true">
      <span class="hidden">{isLate ? "Loading" : ""}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} />
      ))}
    </div>
  );
};

/** An error in the API's own sentence. */
export const Problem = ({ problem, children }: { readonly problem: Error; readonly children?: ComponentChildren }) => (
  <p class="problem" role="alert">
    {problem.message}
    {children}
  </p>
);

interface EmptyProps {
  /** Why there is nothing. */
  readonly title: string;
  /** The next step, and the command to copy for it. */
  readonly children?: ComponentChildren;
  readonly command?: string;
}

/** Says why there is nothing to see, and what to do about it. */
export const Empty = ({ title, children, command }: EmptyProps) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
    {command && <Code text={command} label="In a terminal" />}
  </div>
);

/** Says which scope is missing. */
export const Refused = ({ scope, children }: { readonly scope: string; readonly children?: ComponentChildren }) => (
  <Empty title="This key may not see this.">
    <p>
      It lacks the scope <code>{scope}</code>. Sign in with a key that has it, or ask whoever made this one. {children}
    </p>
  </Empty>
);
