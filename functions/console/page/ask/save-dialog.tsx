import { useState } from "preact/hooks";
import { ApiProblem } from "../../calls/problems.ts";
import { useAction } from "../../calls/use-action.ts";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { TextField } from "../../parts/field/field.tsx";
import { Problem } from "../../parts/state/state.tsx";
import { go } from "../address.ts";
import { saveEndpoint } from "./calls.ts";
import type { QueryKind } from "./kinds.ts";
import { VariableFields } from "./variable-fields.tsx";

interface SaveDialogProps {
  readonly project: number;
  readonly kind: QueryKind;
  readonly text: string;
  readonly variables: Readonly<Record<string, string>>;
  close(): void;
}

/** Saves a query as an endpoint, with its variables' values as what they are when nobody sends others, and leads to it. */
export const SaveDialog = ({ project, kind, text, variables, close }: SaveDialogProps) => {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const [values, setValues] = useState(variables);
  const { running, problem, run } = useAction();
  const wrong = problem instanceof ApiProblem ? problem : undefined;
  const save = async (): Promise<void> => {
    const saved = await run(
      saveEndpoint(project, { name, description, query: kind.query(text, values) }),
      `api/projects/${project}/endpoints`,
    );
    if (saved) go(`project/${project}/endpoints/${encodeURIComponent(saved.name)}/use`);
  };
  return (
    <Dialog title="Save as endpoint" close={close}>
      <form
        class="ask-form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          label="Name"
          value={name}
          change={setName}
          problem={wrong?.attr === "name" ? wrong.message : undefined}
          hint="A part of its address: letters, digits, underscores and hyphens."
        />
        <TextField
          label="Description"
          value={description}
          change={setDescription}
          problem={wrong?.attr === "description" ? wrong.message : undefined}
        />
        {kind.name === "sql" && <VariableFields text={text} values={values} change={setValues} />}
        {problem && wrong?.attr !== "name" && wrong?.attr !== "description" && <Problem problem={problem} />}
        <button type="submit" class="primary" disabled={running || name === ""}>
          Save
        </button>
      </form>
    </Dialog>
  );
};
