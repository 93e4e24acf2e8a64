import { useState } from "preact/hooks";
import { useSession } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { Code } from "../../../parts/code/code.tsx";
import { Loaded } from "../../../parts/state/state.tsx";
import { useAddress } from "../../address.ts";
import { versions } from "../calls.ts";
import type { TabProps } from "../tab-props.ts";
import { kindWord, queryText } from "../words.ts";
import { QueryForm } from "./query-form.tsx";
import { PAGE, Versions } from "./versions.tsx";

/** The text of the endpoint, and what it was before. */
export const Query = ({ place, endpoint }: TabProps) => {
  const { may } = useSession();
  const address = useAddress();
  const [isEdited, setEdited] = useState(false);
  const offset = Number(address.query.get("offset")) || 0;
  const listed = useCall(versions(place, { limit: PAGE, offset }));
  return (
    <>
      {endpoint.query === null ? null : isEdited ? (
        <QueryForm place={place} endpoint={endpoint} query={endpoint.query} close={() => setEdited(false)} />
      ) : (
        <section class="endpoint-section">
          <Code text={queryText(endpoint.query)} label={`Version ${endpoint.current_version}, ${kindWord(endpoint.query)}`} />
          {may("endpoint:write") && (
            <div class="endpoint-buttons">
              <button type="button" onClick={() => setEdited(true)}>
                Edit
              </button>
            </div>
          )}
        </section>
      )}
      <section class="endpoint-section">
        <h2>Versions</h2>
        <Loaded of={listed} lines={4}>
          {({ results, count }) => <Versions place={place} endpoint={endpoint} versions={results} count={count} offset={offset} />}
        </Loaded>
      </section>
    </>
  );
};
