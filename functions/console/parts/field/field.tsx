import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  /** What is wrong with it, in the API's words. */
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
  /** Draws the control under the id that the label points to. */
  children(attributes: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": boolean;
  }): ComponentChildren;
}

/** A control with its label, a hint, and what is wrong. */
export const Field = ({ label, problem, hint, children }: FieldProps) => {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": note ? `${id}-note` : undefined, "aria-invalid": problem !== undefined })}
      {note && (
        <small id={`${id}-note`} class={problem ? "wrong" : undefined}>
          {note}
        </small>
      )}
    </div>
  );
};

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  change(value: string): void;
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
  readonly type?: "text" | "password" | "search" | "number" | "date";
  readonly placeholder?: string;
  readonly name?: string;
  readonly autoComplete?: string;
}

/** A line of text. */
export const TextField = ({ label, problem, hint, change, type = "text", ...input }: TextFieldProps) => (
  <Field label={label} problem={problem} hint={hint}>
    {(attributes) => (
      <input
        {...attributes}
        {...input}
        type={type as "text"}
        spellcheck={false}
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
    )}
  </Field>
);

interface ChoiceFieldProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly title: string }[];
  change(value: string): void;
  readonly problem?: string | undefined;
  readonly hint?: ComponentChildren;
}

/** One of a few. */
export const ChoiceField = ({ label, value, options, change, problem, hint }: ChoiceFieldProps) => (
  <Field label={label} problem={problem} hint={hint}>
    {(attributes) => (
      <select {...attributes} value={value} onChange={({ currentTarget }) => change(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    )}
  </Field>
);
