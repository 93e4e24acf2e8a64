const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number with thin spaces between its thousands, and two places; one that these would make nothing of has two digits. */
export const numberText = (value: number | bigint): string => {
  const isTiny = typeof value === "number" && value !== 0 && Math.abs(value) < 0.01;
  return isTiny ? String(Number(value.toPrecision(2))) : grouped.format(value).replaceAll(",", "\u202f");
};

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** A number in a few characters, as on an axis: 12.5K. */
export const shortNumber = (value: number): string => compact.format(value);

/** One number, large, with what it counts. */
export const BigNumber = ({ value, label }: { readonly value: number | bigint | undefined; readonly label: string }) => (
  <p class="big-number">
    <strong>{value === undefined ? "–" : numberText(value)}</strong> <span>{label}</span>
  </p>
);
