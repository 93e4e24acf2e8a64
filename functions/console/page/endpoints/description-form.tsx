import { useState } from "preact/hooks";
import { useAction } from "../../calls/use-action.ts";
import { Field, TextField } from "../../parts/field/field.tsx";
import { Problem } from "../../parts/state/state.tsx";
import { change, type Endpoint, endpointsPath, type Place } from "./calls.ts";
import { fieldProblem, otherProblem } from "./field-problem.ts";

interface DescriptionFormProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  close(): void;
}

const FIELDS = ["description", "tags"];

/** What an endpoint is for, and its tags, to be changed. */
export const DescriptionForm = ({ place, endpoint, close }: DescriptionFormProps) => {
  const { running, problem, run } = useAction();
  const [description, setDescription] = useState(endpoint.description ?? "");
  const [tags, setTags] = useState(endpoint.tags.join(", "));
  const save = async (): Promise<void> => {
    const sent = { description, tags: tags.split(",") };
    if (await run(change(place, sent), endpointsPath(place.project_id))) close();
  };
  const rest = otherProblem(problem, FIELDS);
  return (
    <form
      class="endpoint-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label="Description" problem={fieldProblem(problem, "description")}>
        {(attributes) => (
          <textarea {...attributes} rows={3} value={description} onInput={({ currentTarget }) => setDescription(currentTarget.value)} />
        )}
      </Field>
      <TextField label="Tags, separated by commas" value={tags} change={setTags} problem={fieldProblem(problem, "tags")} />
      {rest && <Problem problem={rest} />}
      <div class="endpoint-buttons">
        <button type="submit" class="primary" disabled={running}>
          Save
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};
