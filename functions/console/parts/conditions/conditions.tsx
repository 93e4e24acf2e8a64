import { useEffect, useId, useRef, useState } from "preact/hooks";
import { ChoiceField, Field, TextField } from "../field/field.tsx";
import { type Condition, conditionWords, OPERATORS } from "./condition.ts";

interface ConditionsProps<C extends Condition> {
  readonly value: readonly C[];
  change(value: readonly (C | WrittenCondition)[]): void;
  /** Names of properties, by whose they are, to choose from. */
  readonly names?: Readonly<Partial<Record<WrittenCondition["type"], readonly string[]>>>;
}

/** A condition as it is made here. */
export interface WrittenCondition {
  readonly key: string;
  readonly type: "event" | "person";
  readonly operator: (typeof OPERATORS)[number]["value"];
  readonly value: string | number | null;
}

/** Conditions on properties, all of which have to hold; each can be taken out, and another put in. */
export function Conditions<C extends Condition>({ value, change, names = {} }: ConditionsProps<C>) {
  const [isAdding, setAdding] = useState(false);
  return (
    <div class="property-conditions">
      {value.length > 0 && (
        <ul aria-label="Filters">
          {value.map((condition, place) => (
            <li key={place}>
              {conditionWords(condition)}
              <button type="button" class="quiet" onClick={() => change(value.filter((_, other) => other !== place))}>
                Remove<span class="hidden"> {conditionWords(condition)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {isAdding ? (
        <NewCondition
          names={names}
          cancel={() => setAdding(false)}
          add={(condition) => {
            setAdding(false);
            change([...value, condition]);
          }}
        />
      ) : (
        <button type="button" class="quiet" onClick={() => setAdding(true)}>
          Add a filter
        </button>
      )}
    </div>
  );
}

interface NewConditionProps {
  readonly names: Readonly<Partial<Record<WrittenCondition["type"], readonly string[]>>>;
  add(condition: WrittenCondition): void;
  cancel(): void;
}

const TYPES = [
  { value: "event", title: "Event" },
  { value: "person", title: "Person" },
] as const;

const NewCondition = ({ names, add, cancel }: NewConditionProps) => {
  const [type, setType] = useState<WrittenCondition["type"]>("event");
  const [key, setKey] = useState("");
  const [operator, setOperator] = useState<WrittenCondition["operator"]>("exact");
  const [text, setText] = useState("");
  const list = useId();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);
  const takes = OPERATORS.find((each) => each.value === operator)?.takes ?? "text";
  const isWhole = key.trim() !== "" && (takes === "nothing" || (text !== "" && (takes === "text" || Number.isFinite(Number(text)))));
  return (
    <form
      ref={form}
      class="new-condition"
      aria-label="New filter"
      onKeyDown={(event) => event.key === "Escape" && cancel()}
      onSubmit={(event) => {
        event.preventDefault();
        if (isWhole) add({ key: key.trim(), type, operator, value: takes === "nothing" ? null : takes === "number" ? Number(text) : text });
      }}
    >
      <ChoiceField
        label="Of"
        value={type}
        options={TYPES}
        change={(chosen) => setType(TYPES.find(({ value }) => value === chosen)?.value ?? "event")}
      />
      <Field label="Property">
        {(attributes) => (
          <input {...attributes} list={list} value={key} spellcheck={false} onInput={({ currentTarget }) => setKey(currentTarget.value)} />
        )}
      </Field>
      <datalist id={list}>
        {names[type]?.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <ChoiceField
        label="Operator"
        value={operator}
        options={OPERATORS}
        change={(chosen) => setOperator(OPERATORS.find(({ value }) => value === chosen)?.value ?? "exact")}
      />
      {takes !== "nothing" && <TextField label="Value" type={takes === "number" ? "number" : "text"} value={text} change={setText} />}
      <button type="submit" disabled={!isWhole}>
        Add
      </button>
      <button type="button" class="quiet" onClick={cancel}>
        Cancel
      </button>
    </form>
  );
};
