import { numberText } from "../../parts/number/number.tsx";
import type { Addon, Product } from "./calls.ts";
import type { Standing } from "./limits.ts";

interface UseBarProps {
  readonly product: Product | Addon;
  readonly standing: Standing;
}

const WORDS: Readonly<Record<Standing, string | undefined>> = {
  dropped: "Over its limit: its data are dropped until the period ends or the limit is raised.",
  over: "Over its limit. Its data are still taken, for now.",
  passing: "At this pace it passes its limit before the period ends.",
  within: undefined,
};

/** What was used, what will be and how much may be: a bar, and the same in words. */
export const UseBar = ({ product, standing }: UseBarProps) => {
  const { current_usage: used, projected_usage, usage_limit: limit, free_allocation: free, unit } = product;
  const projected = projected_usage ?? used;
  const whole = Math.max(used, projected, limit ?? 0, free ?? 0, 1);
  const width = (units: number) => `${(100 * units) / whole}%`;
  const words = [
    `${numberText(used)}${limit === null ? "" : ` of ${numberText(limit)}`} ${unit === null ? "used" : `${unit}s`}`,
    ...(projected > used ? [`about ${numberText(projected)} at the end of the period`] : []),
    ...(limit === null ? ["no limit"] : []),
    ...(free !== null && free !== limit ? [`${numberText(free)} free`] : []),
  ].join(", ");
  return (
    <>
      <div class={`use-bar ${standing}`} aria-hidden="true">
        <div class="use-projected" style={{ width: width(projected) }} />
        <div class="use-now" style={{ width: width(used) }} />
        {limit !== null && projected > limit && <div class="use-limit" style={{ left: width(limit) }} />}
        {free !== null && free !== limit && free < whole && <div class="use-free" style={{ left: width(free) }} />}
      </div>
      <p class="use-words">
        {words}
        {WORDS[standing] && <strong class={standing}> {WORDS[standing]}</strong>}
      </p>
    </>
  );
};
