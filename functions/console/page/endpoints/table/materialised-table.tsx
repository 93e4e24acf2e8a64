import { useSession } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ChoiceField } from "../../../parts/field/field.tsx";
import { Loaded, Problem } from "../../../parts/state/state.tsx";
import { change, endpointsPath, preview } from "../calls.ts";
import type { TabProps } from "../tab-props.ts";
import { durationText, ENGINES, FRESHNESS, pathWord } from "../words.ts";
import { Division } from "./division.tsx";
import { Suggestion } from "./suggestion.tsx";
import { TableState } from "./table-state.tsx";

const FRESH_FOR = "A result may be as old as";
const COMPUTED_BY = "Rows are computed by";
const FRESH_MS = 60_000;

/** The table of the current version: how it stands, or why there is none. */
export const MaterialisedTable = ({ place, endpoint }: TabProps) => {
  const { may } = useSession();
  const { running, problem, run } = useAction();
  const previewed = useCall(preview(place), { freshMs: FRESH_MS });
  const { materialization, data_freshness_seconds: freshness, engine, is_active } = endpoint;
  const mayWrite = may("endpoint:write");
  const send = (body: Parameters<typeof change>[1]): void => void run(change(place, body), endpointsPath(place.project_id));
  return (
    <>
      <section class="endpoint-section">
        <dl class="facts">
          <div>
            <dt>Table</dt>
            <dd>
              <TableState materialization={materialization} />
            </dd>
          </div>
          <div>
            <dt>Runs read</dt>
            <dd>{pathWord(endpoint) === "live" ? "the events (live)" : "the table (materialised)"}</dd>
          </div>
          {!mayWrite && (
            <>
              <div>
                <dt>{FRESH_FOR}</dt>
                <dd>{durationText(freshness)}</dd>
              </div>
              <div>
                <dt>{COMPUTED_BY}</dt>
                <dd>{ENGINES.find(({ value }) => value === engine)?.title}</dd>
              </div>
            </>
          )}
        </dl>
        {mayWrite && (
          <div class="endpoint-choice">
            <ChoiceField
              label={FRESH_FOR}
              value={String(freshness)}
              options={FRESHNESS}
              change={(value) => send({ data_freshness_seconds: Number(value) })}
            />
            <ChoiceField
              label={COMPUTED_BY}
              value={engine}
              options={ENGINES}
              change={(value) => send({ engine: ENGINES.find((each) => each.value === value)?.value ?? "auto" })}
            />
          </div>
        )}
        {materialization.error && <p class="problem">{materialization.error}</p>}
        {problem && <Problem problem={problem} />}
        {mayWrite && is_active && (
          <div class="endpoint-buttons">
            {materialization.enabled ? (
              <button type="button" disabled={running} onClick={() => send({ is_materialized: false })}>
                Remove the table
              </button>
            ) : (
              materialization.can_materialize && (
                <button type="button" disabled={running} onClick={() => send({ is_materialized: true })}>
                  Materialise
                </button>
              )
            )}
          </div>
        )}
        {!is_active && <p class="soft">An inactive endpoint has no table.</p>}
      </section>
      <Loaded of={previewed} lines={4}>
        {(found) =>
          found.can_materialize ? (
            <Division place={place} endpoint={endpoint} preview={found} />
          ) : (
            <section class="endpoint-section">
              <h2>Why there can be no table</h2>
              <p>{found.reason}</p>
              {endpoint.query?.kind === "HogQLQuery" && <Suggestion place={place} endpoint={endpoint} query={endpoint.query} />}
            </section>
          )
        }
      </Loaded>
    </>
  );
};
