import { useState } from "preact/hooks";
import { useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { Diff } from "../../../parts/diff/diff.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { change, type Endpoint, type EndpointQuery, endpointsPath, type Place, suggest } from "../calls.ts";

type Suggested = Awaited<ReturnType<ReturnType<typeof suggest>["send"]>>;

interface SuggestionProps {
  readonly place: Place;
  readonly endpoint: Endpoint;
  readonly query: Extract<EndpointQuery, { readonly kind: "HogQLQuery" }>;
}

/** Another form of the query that can have a table, where one is known or a model finds it. */
export const Suggestion = ({ place, endpoint, query }: SuggestionProps) => {
  const { may } = useSession();
  const asking = useAction();
  const saving = useAction();
  const [found, setFound] = useState<Suggested>();
  const ask = async (): Promise<void> => setFound(await asking.run(suggest(place), "nothing"));
  const text = found?.suggested_query;
  const save = (): void => {
    if (text) void saving.run(change(place, { query: { ...query, query: text } }), endpointsPath(place.project_id));
  };
  const problem = asking.problem ?? saving.problem;
  return (
    <>
      <div class="endpoint-buttons">
        <button type="button" disabled={asking.running} onClick={() => void ask()}>
          Suggest a form that can
        </button>
        {asking.running && <span class="note">A model is asked where no known rewrite fits; that can take a minute.</span>}
      </div>
      {problem && <Problem problem={problem} />}
      {found && (
        <p>
          {STATUS[found.suggestion_status]} {found.explanation ?? found.error}
        </p>
      )}
      {text && <Diff label="From the query to the suggestion" before={query.query} after={text} />}
      {text && found?.suggestion_status === "ok" && may("endpoint:write") && (
        <div class="endpoint-buttons">
          <button type="button" class="primary" disabled={saving.running} onClick={save}>
            Save as version {endpoint.current_version + 1}
          </button>
        </div>
      )}
    </>
  );
};

const STATUS: Readonly<Record<Suggested["suggestion_status"], string>> = {
  ok: "This form gives the same rows and can have a table.",
  cannot_fix: "No such form exists.",
  invalid: "The best try did not pass the checks.",
  model_error: "The model gave no usable answer.",
};
