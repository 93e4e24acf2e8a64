interface SparklineProps {
  /** One number for each step of time, the newest last. */
  readonly values: readonly number[];
  /** What it shows, as a sentence. */
  readonly label: string;
}

const WIDTH = 96;
const HEIGHT = 24;

/** A small bar for each number, in a line of text. */
export const Sparkline = ({ values, label }: SparklineProps) => {
  const most = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length);
  const bar = Math.max(1, step - 1);
  const path = values.map((value, at) => {
    const height = value <= 0 ? 0 : Math.max(1, (value / most) * HEIGHT);
    return height === 0 ? "" : `M${(at * step).toFixed(2)} ${HEIGHT}v${(-height).toFixed(2)}h${bar.toFixed(2)}V${HEIGHT}z`;
  });
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <path d={path.join("")} />
      <path class="sparkline-ground" d={`M0 ${HEIGHT - 0.5}h${WIDTH}`} />
    </svg>
  );
};
