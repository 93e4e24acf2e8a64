import { useState } from "preact/hooks";
import { numberText } from "../number/number.tsx";

interface BarsProps {
  /** What is counted, as "Events a minute". */
  readonly label: string;
  readonly values: readonly number[];
  /** What a bar stands for, as "14:05". */
  nameOf(place: number): string;
}

const HEIGHT = 100;
/** A bar's part of its place. */
const WIDTH = 0.75;
/** The least that is seen of a bar that is not nothing. */
const LEAST = 2;

/** A row of bars, drawn as one path, for numbers that change all the time. All of it is said in a sentence, too. */
export const Bars = ({ label, values, nameOf }: BarsProps) => {
  const [pointed, setPointed] = useState<number>();
  const most = Math.max(...values, 0);
  const last = values.length - 1;
  const named = pointed !== undefined && pointed <= last ? pointed : undefined;
  return (
    <figure class="bars">
      <svg
        role="img"
        aria-label={`${label}: ${sentence(values, nameOf)}`}
        viewBox={`0 0 ${values.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect();
          setPointed(Math.min(last, Math.max(0, Math.floor(((clientX - left) / width) * values.length))));
        }}
        onPointerLeave={() => setPointed(undefined)}
      >
        <path d={`M0 ${HEIGHT}H${values.length}`} class="bars-ground" />
        <path d={barPath(values, most)} />
      </svg>
      <figcaption>
        <span>{nameOf(0)}</span>
        <span>{named === undefined ? `${label}, at most ${numberText(most)}` : `${nameOf(named)}: ${numberText(values[named] ?? 0)}`}</span>
        <span>{nameOf(last)}</span>
      </figcaption>
    </figure>
  );
};

const barPath = (values: readonly number[], most: number): string =>
  values
    .map((value, place) => {
      if (value <= 0) return "";
      const height = Math.max(LEAST, (value / most) * HEIGHT);
      return `M${place + (1 - WIDTH) / 2} ${HEIGHT}v${-height.toFixed(2)}h${WIDTH}V${HEIGHT}z`;
    })
    .join("");

const sentence = (values: readonly number[], nameOf: BarsProps["nameOf"]): string => {
  const last = values.length - 1;
  const all = values.reduce((sum, value) => sum + value, 0);
  if (all === 0) return `none from ${nameOf(0)} to ${nameOf(last)}.`;
  const highest = values.indexOf(Math.max(...values));
  return `${numberText(all)} from ${nameOf(0)} to ${nameOf(last)}, most of them, ${numberText(values[highest] ?? 0)}, at ${nameOf(highest)}, and ${numberText(values[last] ?? 0)} at ${nameOf(last)}.`;
};
