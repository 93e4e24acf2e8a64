import { useRef } from "preact/hooks";
import { useCall } from "../../../calls/use-call.ts";
import { Empty, Loaded, Problem, Skeleton } from "../../../parts/state/state.tsx";
import { go, useAddress, withQuery } from "../../address.ts";
import { description, retrieve, run } from "../calls.ts";
import type { TabProps } from "../tab-props.ts";
import { Answer } from "./answer.tsx";
import { RunForm } from "./run-form.tsx";
import { runProblems } from "./run-problems.ts";
import { runRequest } from "./run-request.ts";
import { runVariables } from "./variables.ts";

/** Runs the endpoint as a program would. What was run is in the address. */
export const Run = ({ place, endpoint }: TabProps) => {
  const address = useAddress();
  const version = Number(address.query.get("version")) || undefined;
  const picked = useCall(version === undefined ? undefined : retrieve(place, version));
  const described = useCall(endpoint.is_active ? description(place, { version }) : undefined);
  const isAsked = endpoint.is_active && address.query.has("run");
  const asked = useCall(isAsked ? run(place, runRequest(address.query)) : undefined);
  const before = useRef(asked.data);
  before.current = asked.data ?? before.current;

  if (!endpoint.is_active) return <Empty title="An inactive endpoint is not run: calls are answered 404." />;
  const shown = version === undefined ? endpoint : picked.data;
  const variables = described.data && shown ? runVariables(described.data, shown) : [];
  const { byField, whole } = runProblems(
    asked.problem,
    variables.map(({ name }) => name),
  );
  const answer = asked.data ?? (asked.problem ? undefined : before.current);
  return (
    <div class="endpoint-run">
      <Loaded of={described} lines={4}>
        {() =>
          shown && (
            <RunForm
              key={shown.version}
              endpoint={shown}
              versions={endpoint.versions_count}
              variables={variables}
              problems={byField}
              run={(changes) => {
                const to = withQuery(address, { ...changes, run: "1" });
                if (to === withQuery(address, {})) asked.again();
                else go(to);
              }}
            />
          )
        }
      </Loaded>
      <section class="endpoint-answer" aria-label="Result">
        {picked.problem && <Problem problem={picked.problem} />}
        {whole && <Problem problem={whole} />}
        {!isAsked && <p class="soft">Press Run: the result stands here, and its address can be sent to others.</p>}
        {isAsked && answer === undefined && !asked.problem && <Skeleton />}
        {isAsked && answer && (
          <div class={asked.data ? "endpoint-answer" : "endpoint-answer dimmed"}>
            <Answer reply={answer} />
          </div>
        )}
      </section>
    </div>
  );
};
