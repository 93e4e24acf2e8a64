import type { ReachedProject } from "../../../calls/session.ts";
import { useCall } from "../../../calls/use-call.ts";
import { numberText } from "../../../parts/number/number.tsx";
import { Loaded } from "../../../parts/state/state.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import type { RuleFilters } from "./filters.ts";
import { RULE_CALLS, type RuleKind, type RuleTrial } from "./rule-calls.ts";

interface TrialProps {
  readonly project: ReachedProject;
  readonly kind: RuleKind;
  readonly filters: RuleFilters;
}

/** What a rule would have matched of the exceptions that are stored. */
export const Trial = ({ project, kind, filters }: TrialProps) => {
  const trial = useCall(RULE_CALLS[kind].attempt(project.id, filters));
  return (
    <section class="trial" aria-label="What it would have matched" aria-live="polite">
      <Loaded of={trial} lines={3}>
        {(data) => (
          <>
            <p>{trialText(data, kind)}</p>
            {data.examples.length > 0 && (
              <ul>
                {data.examples.map(({ uuid, timestamp, issue_id, type, value }) => (
                  <li key={uuid}>
                    <strong>{type}</strong> {value}{" "}
                    <span class="soft">
                      <Ago at={timestamp} />
                      {issue_id && (
                        <>
                          , <a href={`project/${project.id}/errors/${issue_id}?event=${uuid}`}>its issue now</a>
                        </>
                      )}
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
};

const trialText = ({ matched, looked_at, unasked, complete }: RuleTrial, kind: RuleKind): string => {
  const all = complete ? `the ${numberText(looked_at)} exceptions of the last 7 days` : `the newest ${numberText(looked_at)} exceptions`;
  if (looked_at === 0) return "No exception came in the last 7 days.";
  const own = kind === "grouping" ? "a fingerprint" : "a severity";
  return [
    `It would have matched ${numberText(matched)} of ${all}.`,
    ...(unasked === 0 ? [] : [`${numberText(unasked)} bring ${own} of their own, so no rule is asked.`]),
  ].join(" ");
};
