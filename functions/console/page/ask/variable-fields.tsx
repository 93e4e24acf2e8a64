import { TextField } from "../../parts/field/field.tsx";
import { variableNames } from "./variables.ts";

interface VariableFieldsProps {
  readonly text: string;
  readonly values: Readonly<Record<string, string>>;
  change(values: Readonly<Record<string, string>>): void;
}

/** A field for each variable of a query. */
export const VariableFields = ({ text, values, change }: VariableFieldsProps) => {
  const names = variableNames(text);
  if (names.length === 0) return null;
  return (
    <fieldset class="ask-fields">
      <legend class="note">Variables: numbers, true, false, null and lists are sent as such, all else as text.</legend>
      {names.map((name) => (
        <TextField key={name} label={name} value={values[name] ?? ""} change={(value) => change({ ...values, [name]: value })} />
      ))}
    </fieldset>
  );
};
