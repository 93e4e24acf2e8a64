import { ChoiceField, TextField } from "../../parts/field/field.tsx";
import type { RetentionQuery } from "./calls.ts";
import { nameChoices } from "./choices.ts";
import type { QuestionProps } from "./question.ts";
import { QueryJson } from "./trends-form.tsx";

type Filter = RetentionQuery["retentionFilter"];

const PERIODS = [
  { value: "Hour", title: "Hour" },
  { value: "Day", title: "Day" },
  { value: "Week", title: "Week" },
  { value: "Month", title: "Month" },
] as const;

/** Who comes back: what begins, what counts as coming back, and in which periods. */
export const RetentionForm = ({ text, change, vocabulary }: QuestionProps) => {
  const query: RetentionQuery = JSON.parse(text);
  const { retentionFilter: filter } = query;
  const set = (changes: Partial<Filter>): void => change(JSON.stringify({ ...query, retentionFilter: { ...filter, ...changes } }, null, 2));
  const target = String(filter.targetEntity?.id ?? "");
  const returning = String(filter.returningEntity?.id ?? "");
  const entity = (id: string): Filter["targetEntity"] => (id === "" ? null : { id, type: "events" });
  return (
    <div class="ask-form">
      <div class="ask-fields">
        <ChoiceField
          label="Begins with"
          value={target}
          options={nameChoices(vocabulary.events, target, "Any event")}
          change={(id) => set({ targetEntity: entity(id) })}
        />
        <ChoiceField
          label="Comes back with"
          value={returning}
          options={nameChoices(vocabulary.events, returning, "Any event")}
          change={(id) => set({ returningEntity: entity(id) })}
        />
        <ChoiceField
          label="Period"
          value={filter.period ?? "Day"}
          options={PERIODS}
          change={(value) => set({ period: PERIODS.find((each) => each.value === value)?.value ?? "Day" })}
        />
        <TextField
          label="Number of periods"
          type="number"
          value={String(filter.totalIntervals ?? 8)}
          change={(value) => set({ totalIntervals: Number.parseInt(value, 10) || 1 })}
        />
      </div>
      <QueryJson text={text} />
    </div>
  );
};
