import { useLayoutEffect, useState } from "preact/hooks";
import { useZone } from "../time/time.tsx";
import { datesOf, isCustom, PRESETS, type RangeValue } from "./presets.ts";

interface RangeProps {
  readonly value: RangeValue;
  change(value: RangeValue): void;
}

/** The days that a view speaks of: a preset, or from one date to another. */
export const Range = ({ value, change }: RangeProps) => {
  const zone = useZone();
  const choose = (name: string): void => {
    const preset = PRESETS.find(({ date_from }) => date_from === name);
    change(preset ? { date_from: preset.date_from, date_to: "" } : datesOf(value, zone));
  };
  const custom = isCustom(value);
  return (
    <fieldset class="range">
      <legend class="hidden">Range</legend>
      <select aria-label="Range" value={custom ? CUSTOM : value.date_from} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {PRESETS.map(({ title, date_from }) => (
          <option key={date_from} value={date_from}>
            {title}
          </option>
        ))}
        <option value={CUSTOM}>Custom dates</option>
      </select>
      {custom && <Dates value={value} change={change} />}
    </fieldset>
  );
};

const CUSTOM = "custom";

/** A year that is still being typed lies before it. */
const FIRST_DAY = "2000-01-01";

/** Both dates, a draft until they are shown: a range with one of two dates changed is seldom one that is meant. */
const Dates = ({ value, change }: RangeProps) => {
  const [typed, setTyped] = useState(value);
  // Before anybody sees the fields: what is typed at once would be lost to an effect that comes later.
  useLayoutEffect(() => setTyped(value), [value.date_from, value.date_to]);
  const isTurned = typed.date_from >= FIRST_DAY && typed.date_to >= FIRST_DAY && typed.date_to < typed.date_from;
  const isChanged = typed.date_from !== value.date_from || typed.date_to !== value.date_to;
  const show = (event: Event): void => {
    event.preventDefault();
    if (!isTurned) change(typed);
  };
  return (
    <form class="range-dates" onSubmit={show}>
      <input
        type="date"
        aria-label="First day"
        required
        min={FIRST_DAY}
        value={typed.date_from}
        onInput={({ currentTarget: { value: date_from } }) => setTyped((before) => ({ ...before, date_from }))}
      />
      <span class="soft">to</span>
      <input
        type="date"
        aria-label="Last day"
        required
        min={FIRST_DAY}
        aria-invalid={isTurned}
        value={typed.date_to}
        onInput={({ currentTarget: { value: date_to } }) => setTyped((before) => ({ ...before, date_to }))}
      />
      <button type="submit" disabled={!isChanged || isTurned}>
        Show
      </button>
      {isTurned && (
        <small class="wrong" role="alert">
          The last day lies before the first.
        </small>
      )}
    </form>
  );
};
