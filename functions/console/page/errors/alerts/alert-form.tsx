import { useState } from "preact/hooks";
import type { ReachedProject } from "../../../calls/session.ts";
import { useAction } from "../../../calls/use-action.ts";
import { ChoiceField, TextField } from "../../../parts/field/field.tsx";
import { Problem } from "../../../parts/state/state.tsx";
import { useAssignees } from "../assignees.ts";
import { errorTrackingOf } from "../calls.ts";
import { useFilterForm } from "../rules/filter-form.tsx";
import { sentFilters } from "../rules/filters.ts";
import { type AlertDraft, type AlertRule, createAlert, type Trigger, updateAlert } from "./alert-calls.ts";
import { type ChannelDraft, ChannelsField, channelDraft, NEW_CHANNEL, writtenChannel } from "./channels-field.tsx";
import { TRIGGERS } from "./words.ts";

interface AlertFormProps {
  readonly project: ReachedProject;
  /** The alert that is changed; a new one where it is left out. */
  readonly alert?: AlertRule;
  /** Told of the secret of a new one. */
  done(secret?: string): void;
  cancel(): void;
}

/** Exceptions of all kinds. */
const ANY_EXCEPTION = { type: "AND", values: [] };

/** Writes an alert: what it waits for, where it goes, and how often at most. */
export const AlertForm = ({ project, alert, done, cancel }: AlertFormProps) => {
  const [name, setName] = useState(alert?.name ?? "");
  const [trigger, setTrigger] = useState<Trigger>(alert?.trigger ?? "issue_created");
  const [count, setCount] = useState(String(alert?.threshold?.count ?? 100));
  const [minutes, setMinutes] = useState(String(alert?.threshold?.minutes ?? 5));
  const [cooldown, setCooldown] = useState(String(alert?.cooldown_minutes ?? 30));
  const [channels, setChannels] = useState<readonly ChannelDraft[]>(() => alert?.channels.map(channelDraft) ?? [NEW_CHANNEL]);
  const form = useFilterForm("Of which exceptions: without a condition, of all", alert?.filters ?? ANY_EXCEPTION);
  const assignees = useAssignees(project);
  const action = useAction();

  const save = async (): Promise<void> => {
    const filters = form.read();
    if (filters === undefined) return;
    const draft: AlertDraft = {
      name,
      trigger,
      threshold: trigger === "threshold" ? { count: Number(count), minutes: Number(minutes) } : null,
      filters: filters.values.length === 0 ? null : sentFilters(filters),
      channels: channels.map(writtenChannel),
      cooldown_minutes: Number(cooldown),
    };
    const saved = errorTrackingOf(project.id);
    if (alert) {
      if (await action.run(updateAlert(project.id, alert.id, draft), saved)) done();
      return;
    }
    const made = await action.run(createAlert(project.id, draft), saved);
    if (made) done(channels.some(({ type }) => type === "webhook") ? made.secret : undefined);
  };

  return (
    <form
      class="rule-form"
      aria-label={alert ? `Edit ${alert.name}` : "New alert"}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="row">
        <TextField label="Name" value={name} change={setName} autoComplete="off" />
        <ChoiceField label="Tells of" value={trigger} options={TRIGGERS} change={(value) => setTrigger(value as Trigger)} />
        {trigger === "threshold" && (
          <>
            <TextField label="Exceptions at least" type="number" value={count} change={setCount} />
            <TextField label="Within minutes" type="number" value={minutes} change={setMinutes} />
          </>
        )}
        <TextField label="Minutes of silence after it" type="number" value={cooldown} change={setCooldown} />
      </div>
      {form.fields}
      <ChannelsField value={channels} assignees={assignees} change={setChannels} />
      {action.problem && <Problem problem={action.problem} />}
      <div class="choices">
        <button type="submit" class="primary" disabled={action.running}>
          Save
        </button>
        <button type="button" class="quiet" onClick={cancel}>
          Cancel
        </button>
      </div>
    </form>
  );
};
