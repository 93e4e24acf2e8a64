import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiProblem } from "../../../calls/problems.ts";
import type { Action } from "../../../calls/use-action.ts";
import { TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { ScopesField } from "./scopes-field.tsx";

interface KeyFormProps {
  /** What its button does. */
  readonly title: string;
  /** The scopes that can be given. */
  readonly scopes: readonly string[];
  /** Whether `*` can be given. */
  readonly everything?: boolean;
  readonly action: Action;
  /** Further fields. */
  readonly children?: ComponentChildren;
  make(label: string, scopes: readonly string[]): void;
  close(): void;
}

/** The label and the scopes of a key to make. */
export const KeyForm = ({ title, scopes, everything = false, action, children, make, close }: KeyFormProps) => {
  const [label, setLabel] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const { problem } = action;
  const isAboutLabel = problem instanceof ApiProblem && problem.attr === "label";
  return (
    <form
      class="key-form"
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        make(label.trim(), chosen);
      }}
    >
      <div class="health-filters">
        <TextField
          label="Label"
          value={label}
          change={setLabel}
          name="label"
          autoComplete="off"
          placeholder="What it is for"
          problem={isAboutLabel ? problem.message : undefined}
        />
        {children}
      </div>
      <ScopesField scopes={scopes} everything={everything} chosen={chosen} change={setChosen} />
      {problem && !isAboutLabel && <Problem problem={problem} />}
      <div class="key-actions">
        <button type="submit" class="primary" disabled={action.running || label.trim() === "" || chosen.length === 0}>
          {title}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};
