import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog/dialog.tsx";
import { TextField } from "../../parts/field/field.tsx";
import { type Address, go, withQuery } from "../address.ts";
import { type Filters, filterWords, NO_FILTERS } from "./filters.ts";

interface FilterBarProps {
  readonly filters: Filters;
  readonly address: Address;
}

/** The filters in force, each with its end. */
export const FilterBar = ({ filters, address }: FilterBarProps) => {
  const all = filterWords(filters);
  if (all.length === 0) return null;
  return (
    <ul class="filters" aria-label="Filters">
      {all.map(({ words, without }) => (
        <li key={words}>
          <span>{words}</span>
          <a href={withQuery(address, without)}>
            Remove<span class="hidden"> {words}</span>
          </a>
        </li>
      ))}
      {all.length > 1 && (
        <li>
          <a href={withQuery(address, NO_FILTERS)}>Clear all</a>
        </li>
      )}
    </ul>
  );
};

/** A button that asks which events are to be seen. */
export const FilterButton = (props: FilterBarProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Filter
      </button>
      {isOpen && <FilterDialog {...props} close={() => setOpen(false)} />}
    </>
  );
};

const FIELDS = [
  ["event", "Event", "As it was sent, in full."],
  ["distinct_id", "Distinct id", "One id of a person."],
  ["person_id", "Person id", "A person with all of their ids."],
  ["property", "Property", "Its name. Without a value: events that have it."],
  ["value", "Value of the property", undefined],
] as const;

const FilterDialog = ({ filters, address, close }: FilterBarProps & { close(): void }) => {
  const [wanted, setWanted] = useState(filters);
  const isHalf = Boolean(wanted.value) && !wanted.property;
  return (
    <Dialog title="Filter" close={close}>
      <form
        class="filter-form"
        onSubmit={(event) => {
          event.preventDefault();
          close();
          go(withQuery(address, { ...NO_FILTERS, ...wanted }));
        }}
      >
        {FIELDS.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            problem={name === "value" && isHalf ? "Name the property whose value this is." : undefined}
            autoComplete="off"
            value={wanted[name] ?? ""}
            change={(value) => setWanted((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <button type="submit" class="primary" disabled={isHalf}>
          Show these events
        </button>
      </form>
    </Dialog>
  );
};
