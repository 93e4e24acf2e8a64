import { numberText } from "../number/number.tsx";
import type { CohortRow } from "./answer.ts";
import { cohortDay } from "./grid.ts";

/** Cohorts below each other: who began, and which part of them came back in each later period, in shades. */
export const HeatMap = ({ rows, label }: { readonly rows: readonly CohortRow[]; readonly label: string }) => {
  const isSplit = rows.some(({ breakdown_value }) => breakdown_value !== null);
  // Each cohort has one period fewer behind it than the one before: what has not begun stays empty.
  const isTriangle = !isSplit && rows[0]?.values.length === rows.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys.
    <section class="table heat-map" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {isSplit && <th scope="col">Breakdown</th>}
            <th scope="col">Began</th>
            <th scope="col" class="numeric">
              People
            </th>
            {rows[0]?.values.slice(1).map((value) => (
              <th key={value.label} scope="col" class="numeric">
                {value.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ date, breakdown_value, values: [began, ...later] }, row) => (
            <tr key={row}>
              {isSplit && <td>{breakdown_value}</td>}
              <th scope="row">{cohortDay(date)}</th>
              <td class="numeric">{numberText(began?.count ?? 0)}</td>
              {later.map((value, column) =>
                isTriangle && row + column >= rows.length - 1 ? (
                  <td key={value.label} />
                ) : (
                  <Share key={value.label} of={began?.count ?? 0} value={value} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};

const Share = ({ of, value }: { readonly of: number; readonly value: CohortRow["values"][number] }) => {
  const share = of === 0 ? 0 : value.count / of;
  const { aggregation_value: amount } = value;
  return (
    <td class="numeric heat" style={{ "--share": String(Math.min(1, share)) }} title={`${numberText(value.count)} of ${numberText(of)}`}>
      {amount === undefined ? `${Math.round(share * 100)} %` : numberText(amount)}
    </td>
  );
};
