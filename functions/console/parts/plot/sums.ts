/** Each column with those before it added, as the layers of a stack; what is no number adds nothing. */
export const sums = (columns: readonly Float64Array[]): readonly Float64Array[] => {
  const sum = new Float64Array(columns[0]?.length ?? 0);
  return columns.map((column) => {
    for (const [at, value] of column.entries()) if (!Number.isNaN(value)) sum[at] = (sum[at] ?? 0) + value;
    return sum.slice();
  });
};
