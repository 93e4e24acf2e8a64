import { useId, useState } from "preact/hooks";
import { ChoiceField, Field, TextField } from "../../../parts/field/field.tsx";
import {
  COMMON_KEYS,
  type Condition,
  type FlatFilters,
  NEW_CONDITION,
  OPERATORS,
  type RuleFilters,
  readFilters,
  takesValue,
  writeFilters,
} from "./filters.ts";

interface FilterForm {
  readonly fields: preact.ComponentChildren;
  /** The filters as the API takes them; undefined where they cannot be read, which the fields then say. */
  read(): RuleFilters | undefined;
}

/** The fields of filters: conditions beside each other, or JSON where these are groups within groups. */
export const useFilterForm = (legend: string, filters: Readonly<Record<string, unknown>>): FilterForm => {
  const [flat, setFlat] = useState<FlatFilters | undefined>(() => readFilters(filters));
  const [json, setJson] = useState(() => JSON.stringify(filters, undefined, 2));
  const [fault, setFault] = useState<string>();
  return {
    fields: flat ? (
      <Conditions legend={legend} flat={flat} change={setFlat} />
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
    ),
    read() {
      setFault(undefined);
      if (flat) return writeFilters(flat);
      try {
        return JSON.parse(json);
      } catch {
        setFault("This is no JSON.");
        return undefined;
      }
    },
  };
};

interface ConditionsProps {
  readonly legend: string;
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

const Conditions = ({ legend, flat: { type, conditions }, change }: ConditionsProps) => {
  const keys = useId();
  const set = (place: number, part: Partial<Condition>): void =>
    change({ type, conditions: conditions.map((each, at) => (at === place ? { ...each, ...part } : each)) });
  return (
    <fieldset class="conditions">
      <legend>{legend}</legend>
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
