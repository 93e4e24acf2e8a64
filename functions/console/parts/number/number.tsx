const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

/** A number with thin spaces between its thousands, and two places; one that these would make nothing of has two digits. */
export const numberText = (value: number | bigint): string => {
  const isTiny = typeof value === "number" && value !== 0 && Math.abs(value) < 0.01;
  return isTiny ? String(Number(value.toPrecision(2))) : grouped.format(value).replaceAll(",", "\u202f");
};

/** One number, large, with what it counts. */
export const BigNumber = ({ value, label }: { readonly value: number | bigint | undefined; readonly label: string }) => (
  <p class="big-number">
    <strong>{value === undefined ? "–" : numberText(value)}</strong> <span>{label}</span>
  </p>
);
