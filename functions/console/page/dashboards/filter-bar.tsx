import type { components } from "../../calls/api.d.ts";
import { type ReachedProject, useSession } from "../../calls/session.ts";
import { useCall } from "../../calls/use-call.ts";
import { Conditions } from "../../parts/conditions/conditions.tsx";
import { isCustom, type RangeValue } from "../../parts/range/presets.ts";
import { Range } from "../../parts/range/range.tsx";
import { rangeWords } from "../../parts/range/words.ts";
import { type Filters, properties } from "./calls.ts";

interface FilterBarProps {
  readonly project: ReachedProject;
  readonly filters: Filters;
  change(filters: Filters): void;
  /** Whether the range may be taken away, so that each tile has its own. */
  readonly mayClear: boolean;
}

const FIRST_RANGE = { date_from: "-30d", date_to: null } as const;

/** One range and conditions for all tiles. */
export const FilterBar = ({ project, filters, change, mayClear }: FilterBarProps) => {
  const { date_from, date_to } = filters;
  const changeDates = (dates: Pick<Filters, "date_from" | "date_to">): void => change({ ...filters, ...dates });
  const range = { date_from: date_from ?? "", date_to: date_to ?? "" };
  const names = usePropertyNames(project);
  return (
    <div class="filter-bar">
      {date_from || date_to ? (
        <>
          {isUnusual(range) ? (
            <>
              <span>{rangeWords(filters)}</span>
              <button type="button" class="quiet" onClick={() => changeDates(FIRST_RANGE)}>
                Another range
              </button>
            </>
          ) : (
            <Range value={range} change={(chosen) => changeDates({ date_from: chosen.date_from, date_to: chosen.date_to || null })} />
          )}
          {mayClear && (
            <button type="button" class="quiet" onClick={() => changeDates({ date_from: null, date_to: null })}>
              Each tile its own range
            </button>
          )}
        </>
      ) : (
        <>
          <span class="soft">Each tile has its own range.</span>
          <button type="button" class="quiet" onClick={() => changeDates(FIRST_RANGE)}>
            One range for all
          </button>
        </>
      )}
      <Conditions
        value={filters.properties ?? []}
        names={names}
        change={(list) => change({ ...filters, properties: list.map((each) => ({ ...NO_CONDITION, ...each })) })}
      />
    </div>
  );
};

/** What a condition that is made here does not say. */
const NO_CONDITION: Omit<components["schemas"]["PropertyFilter"], "key"> = {
  value: null,
  operator: null,
  type: null,
  group_type_index: null,
  label: null,
  group_key_names: null,
  cohort_name: null,
};

/** Whether the fields of the range cannot show it. */
const isUnusual = (value: RangeValue): boolean =>
  isCustom(value) && [value.date_from, value.date_to].some((date) => date !== "" && !/^\d{4}-\d{2}-\d{2}$/.test(date));

const usePropertyNames = (project: ReachedProject) => {
  const { may } = useSession();
  const isKnown = may("property_definition:read");
  const event = useCall(isKnown ? properties(project.id, "event") : undefined);
  const person = useCall(isKnown ? properties(project.id, "person") : undefined);
  return { event: event.data?.results.map(({ name }) => name) ?? [], person: person.data?.results.map(({ name }) => name) ?? [] };
};
