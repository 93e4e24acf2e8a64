import { useState } from "preact/hooks";
import type { Call } from "../../../calls/client.ts";
import type { ReachedProject } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { assigneeValue, chosenAssignee, NOBODY, useAssignees } from "../assignees.ts";
import { errorTrackingOf, type Severity } from "../calls.ts";
import { SEVERITIES } from "../status.tsx";
import { useFilterForm } from "./filter-form.tsx";
import { NEW_FILTERS, type RuleFilters } from "./filters.ts";
import { RULE_CALLS, type Rule, type RuleDraft, type RuleKind } from "./rule-calls.ts";
import { Trial } from "./trial.tsx";

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
  const form = useFilterForm("Which exceptions it matches", rule?.filters ?? NEW_FILTERS);
  const [severity, setSeverity] = useState<string>(rule && "severity" in rule ? rule.severity : "high");
  const [description, setDescription] = useState(rule && "description" in rule ? (rule.description ?? "") : "");
  const before = rule && "assignee" in rule ? rule.assignee : null;
  const [assignee, setAssignee] = useState(assigneeValue(before));
  const [tried, setTried] = useState<RuleFilters>();
  const assignees = useAssignees(project);
  const action = useAction();

  const save = async (): Promise<void> => {
    const written = form.read();
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
      {form.fields}
      <div class="row">
        {kind === "severity" && (
          <ChoiceField
            label="Severity of the issue"
            value={severity}
            options={SEVERITIES.map((value) => ({ value, title: value }))}
            change={setSeverity}
          />
        )}
        {(kind === "assignment" || (kind === "grouping" && !rule)) && (
          <ChoiceField
            label="Assignee of the issue"
            value={assignee}
            options={[{ value: NOBODY, title: kind === "assignment" ? "Choose one" : "nobody" }, ...assignees.choicesBeside(before)]}
            change={setAssignee}
          />
        )}
        {kind === "grouping" && !rule && <TextField label="What it is for" value={description} change={setDescription} />}
      </div>
      {action.problem && <Problem problem={action.problem} />}
      <div class="choices">
        <button type="submit" class="primary" disabled={action.running}>
          Save
        </button>
        <button type="button" onClick={() => setTried(form.read())}>
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
