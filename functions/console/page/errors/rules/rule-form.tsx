import { useId, useState } from "preact/hooks";
import type { Call } from "../../../calls/client.ts";
import type { ReachedProject } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { useCall } from "../../../calls/use-call.ts";
import { ChoiceField, Field, TextField } from "../../../parts/field/field.tsx";
import { numberText } from "../../../parts/number/number.tsx";
import { Loaded, Problem } from "../../../parts/state/state.tsx";
import { Ago } from "../../../parts/time/time.tsx";
import { assigneeValue, chosenAssignee, NOBODY, useAssignees } from "../assignees.ts";
import {
  errorTrackingOf,
  RULE_CALLS,
  type Rule,
  type RuleDraft,
  type RuleFilters,
  type RuleKind,
  type RuleTrial,
  type Severity,
} from "../calls.ts";
import { SEVERITIES } from "../status.tsx";
import {
  COMMON_KEYS,
  type Condition,
  type FlatFilters,
  NEW_CONDITION,
  OPERATORS,
  readFilters,
  takesValue,
  writeFilters,
} from "./filters.ts";

interface RuleFormProps {
  readonly project: ReachedProject;
  readonly kind: RuleKind;
  /** The rule that is changed; a new one where it is left out. */
  readonly rule?: Rule;
  /** The rule behind which a new one is asked. */
  readonly last?: Rule | undefined;
  close(): void;
}

/** Writes a rule, and tries it on the exceptions that are stored before it is saved. */
export const RuleForm = ({ project, kind, rule, last, close }: RuleFormProps) => {
  const [flat, setFlat] = useState<FlatFilters | undefined>(() =>
    rule ? readFilters(rule.filters) : { type: "AND", conditions: [NEW_CONDITION] },
  );
  const [json, setJson] = useState(() => JSON.stringify(rule?.filters ?? {}, undefined, 2));
  const [severity, setSeverity] = useState<string>(rule && "severity" in rule ? rule.severity : "high");
  const [description, setDescription] = useState(rule && "description" in rule ? (rule.description ?? "") : "");
  const [assignee, setAssignee] = useState(rule && "assignee" in rule ? assigneeValue(rule.assignee) : NOBODY);
  const [tried, setTried] = useState<RuleFilters>();
  const [fault, setFault] = useState<string>();
  const assignees = useAssignees(project);
  const action = useAction();

  const filters = (): RuleFilters | undefined => {
    setFault(undefined);
    if (flat) return writeFilters(flat);
    try {
      return JSON.parse(json);
    } catch {
      setFault("This is no JSON.");
      return undefined;
    }
  };
  const save = async (): Promise<void> => {
    const written = filters();
    if (written === undefined) return;
    const draft: RuleDraft = { filters: written, severity: severity as Severity, description, assignee: chosenAssignee(assignee) };
    const calls = RULE_CALLS[kind];
    const call: Call<unknown> = rule
      ? calls.update(project.id, rule.id, draft)
      : calls.create(project.id, draft, (last?.order_key ?? -1) + 1);
    if ((await action.run(call, errorTrackingOf(project.id))) !== undefined) close();
  };

  return (
    <form
      class="rule-form"
      aria-label={rule ? "Edit the rule" : `New ${kind} rule`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {flat ? (
        <Conditions flat={flat} change={setFlat} />
      ) : (
        <Field label="Filters" hint="They hold groups within groups, so they are written as JSON." problem={fault}>
          {(attributes) => (
            <textarea
              {...attributes}
              rows={10}
              spellcheck={false}
              value={json}
              onInput={({ currentTarget }) => setJson(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <div class="row">
        {kind === "severity" && (
          <ChoiceField
            label="Severity of the issue"
            value={severity}
            options={SEVERITIES.map((value) => ({ value, title: value }))}
            change={setSeverity}
          />
        )}
        {kind === "grouping" && !rule && (
          <>
            <ChoiceField
              label="Assignee of the issue"
              value={assignee}
              options={[{ value: NOBODY, title: "nobody" }, ...assignees.choices]}
              change={setAssignee}
            />
            <TextField label="What it is for" value={description} change={setDescription} />
          </>
        )}
      </div>
      {action.problem && <Problem problem={action.problem} />}
      <div class="choices">
        <button type="submit" class="primary" disabled={action.running}>
          Save
        </button>
        <button type="button" onClick={() => setTried(filters())}>
          Try it out
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
      {tried && <Trial project={project} kind={kind} filters={tried} />}
    </form>
  );
};

interface ConditionsProps {
  readonly flat: FlatFilters;
  change(flat: FlatFilters): void;
}

const JOINS = [
  { value: "AND", title: "all of these hold" },
  { value: "OR", title: "one of these holds" },
];

const TYPES = [
  { value: "event", title: "property of the event" },
  { value: "error_tracking_issue", title: "field of the issue" },
];

const OPERATOR_CHOICES = OPERATORS.map(({ operator, words }) => ({ value: operator, title: words }));

const Conditions = ({ flat: { type, conditions }, change }: ConditionsProps) => {
  const keys = useId();
  const set = (place: number, part: Partial<Condition>): void =>
    change({ type, conditions: conditions.map((each, at) => (at === place ? { ...each, ...part } : each)) });
  return (
    <fieldset class="conditions">
      <legend>Which exceptions it matches</legend>
      <datalist id={keys}>
        {COMMON_KEYS.map((key) => (
          <option key={key} value={key} />
        ))}
      </datalist>
      {conditions.length > 1 && (
        <ChoiceField
          label="It matches when"
          value={type}
          options={JOINS}
          change={(value) => change({ type: value === "OR" ? "OR" : "AND", conditions })}
        />
      )}
      {conditions.map(({ type: of, key, operator, value }, place) => (
        <section key={place} class="condition" aria-label={`Condition ${place + 1}`}>
          <ChoiceField label="Of" value={of} options={TYPES} change={(next) => set(place, { type: next })} />
          <Field label="Name">
            {(attributes) => (
              <input
                {...attributes}
                list={keys}
                spellcheck={false}
                value={key}
                onInput={({ currentTarget }) => set(place, { key: currentTarget.value })}
              />
            )}
          </Field>
          <ChoiceField label="How" value={operator} options={OPERATOR_CHOICES} change={(next) => set(place, { operator: next })} />
          {takesValue(operator) && <TextField label="Value" value={value} change={(next) => set(place, { value: next })} />}
          <button
            type="button"
            class="quiet"
            aria-label={`Take out condition ${place + 1}`}
            onClick={() => change({ type, conditions: conditions.filter((_, at) => at !== place) })}
          >
            Take out
          </button>
        </section>
      ))}
      <button type="button" class="quiet" onClick={() => change({ type, conditions: [...conditions, NEW_CONDITION] })}>
        Add a condition
      </button>
    </fieldset>
  );
};

interface TrialProps {
  readonly project: ReachedProject;
  readonly kind: RuleKind;
  readonly filters: RuleFilters;
}

const Trial = ({ project, kind, filters }: TrialProps) => {
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
