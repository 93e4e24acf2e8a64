import { useState } from "preact/hooks";
import { useAction } from "../../../calls/use-action.ts";
import { Editor } from "../../../parts/editor/editor.tsx";
import { Field, TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { change, type Endpoint, type EndpointQuery, endpointsPath, type Place } from "../calls.ts";
import { fieldProblem, otherProblem } from "../field-problem.ts";
import { draft, newQuery, variableNames } from "./draft.ts";

interface QueryFormProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly query: EndpointQuery;
  close(): void;
}

/** The query to be changed; saved it is a new version, and who runs the endpoint is given that one from then on. */
export const QueryForm = ({ place, endpoint, query, close }: QueryFormProps) => {
  const { running, problem, run } = useAction();
  const [{ text, defaults }, setDraft] = useState(() => draft(query));
  const [wrong, setWrong] = useState<Error>();
  const names = query.kind === "HogQLQuery" ? variableNames(text) : [];
  const save = async (): Promise<void> => {
    setWrong(undefined);
    try {
      const sent = newQuery(query, { text, defaults });
      if (await run(change(place, { query: sent }), endpointsPath(place.project_id))) close();
    } catch (thrown) {
      setWrong(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  };
  const sentence = wrong?.message ?? fieldProblem(problem, "query");
  const rest = otherProblem(problem, ["query"]);
  return (
    <form
      class="endpoint-section"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {query.kind === "HogQLQuery" ? (
        <div class="endpoint-editor">
          <Editor label="Query" text={text} change={(value) => setDraft({ defaults, text: value })} run={() => void save()} />
          {sentence && <Problem problem={new Error(sentence)} />}
        </div>
      ) : (
        <Field label={query.kind} problem={sentence}>
          {(attributes) => (
            <textarea
              {...attributes}
              class="endpoint-text"
              rows={24}
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => setDraft({ defaults, text: currentTarget.value })}
            />
          )}
        </Field>
      )}
      {names.length > 0 && (
        <div class="endpoint-defaults">
          {names.map((name) => (
            <TextField
              key={name}
              label={`${name}, unless a run says otherwise`}
              value={defaults[name] ?? ""}
              change={(value) => setDraft({ text, defaults: { ...defaults, [name]: value } })}
              hint={'As JSON, or as plain text: 5 is a number, "5" a text. Empty: there is none.'}
            />
          ))}
        </div>
      )}
      {rest && <Problem problem={rest} />}
      <div class="endpoint-buttons">
        <button type="submit" class="primary" disabled={running}>
          Save as version {endpoint.current_version + 1}
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
};
