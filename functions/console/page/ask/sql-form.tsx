import { useMemo } from "preact/hooks";
import { Editor } from "../../parts/editor/editor.tsx";
import type { Suggest } from "../../parts/editor/suggestion.ts";
import { suggestions } from "./completion.ts";
import type { QuestionProps } from "./question.ts";
import { VariableFields } from "./variable-fields.tsx";

/** A query in SQL, with a field for each of its variables. */
export const SqlForm = ({ text, change, variables, changeVariables, vocabulary, faults, run, cancel, editor }: QuestionProps) => {
  const suggest: Suggest = useMemo(() => async (value, at) => suggestions(value, at, vocabulary), [vocabulary]);
  return (
    <>
      <div class="ask-editor">
        <Editor
          label="Query"
          text={text}
          change={change}
          run={run}
          escape={cancel}
          suggest={suggest}
          faults={faults}
          placeholder="SELECT event, count() FROM events GROUP BY event"
          handle={editor}
        />
      </div>
      <VariableFields text={text} values={variables} change={changeVariables} />
    </>
  );
};
