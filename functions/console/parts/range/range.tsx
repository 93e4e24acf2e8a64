import { useEffect, useState } from "preact/hooks";
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

/** The first day that is taken for one: a year that is still being typed is none. */
const FIRST_DAY = "2000-01-01";

/** Both dates, kept as they are typed and said on once they are a range. */
const Dates = ({ value, change }: RangeProps) => {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value.date_from, value.date_to]);
  const type = (changed: Partial<RangeValue>): void => {
    const next = { ...typed, ...changed };
    setTyped(next);
    if (next.date_from >= FIRST_DAY && next.date_to >= next.date_from) change(next);
  };
  const isTurned = typed.date_from >= FIRST_DAY && typed.date_to >= FIRST_DAY && typed.date_to < typed.date_from;
  return (
    <>
      <input
        type="date"
        aria-label="First day"
        min={FIRST_DAY}
        value={typed.date_from}
        onInput={({ currentTarget }) => type({ date_from: currentTarget.value })}
      />
      <span class="soft">to</span>
      <input
        type="date"
        aria-label="Last day"
        min={FIRST_DAY}
        aria-invalid={isTurned}
        value={typed.date_to}
        onInput={({ currentTarget }) => type({ date_to: currentTarget.value })}
      />
      {isTurned && (
        <small class="wrong" role="alert">
          The last day lies before the first.
        </small>
      )}
    </>
  );
};
