import { useMemo, useState } from "preact/hooks";
import { CopyButton } from "../copy/copy.tsx";
import { saveFile } from "../file/file.ts";
import { exactNumber } from "../plot/plot-data.ts";
import type { Answer } from "./answer.ts";
import { answerGrid, cellText, gridCsv, gridTsv, sortedRows } from "./grid.ts";

interface ResultTableProps {
  readonly answer: Answer;
  readonly label: string;
  /** The table alone, without what can be done with it. */
  readonly compact: boolean;
}

/** How many rows are drawn at once. */
const PAGE = 200;

/** Rows as they came; a press on a column's title sorts them. */
export const ResultTable = ({ answer, label, compact }: ResultTableProps) => {
  const grid = useMemo(() => answerGrid(answer), [answer]);
  const [order, setOrder] = useState<{ readonly column: number; readonly descending: boolean }>();
  const [drawn, setDrawn] = useState(PAGE);
  const rows = useMemo(() => (order ? sortedRows(grid, order) : grid.rows), [grid, order]);
  const sort = (column: number): void => {
    if (order?.column !== column) setOrder({ column, descending: grid.columns[column]?.numeric === true });
    else setOrder(order.descending === grid.columns[column]?.numeric ? { column, descending: !order.descending } : undefined);
  };
  return (
    <div class="result-table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys. */}
      <section class="table" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {grid.columns.map(({ title, numeric }, column) => (
                <th
                  key={column}
                  scope="col"
                  class={numeric ? "numeric" : undefined}
                  aria-sort={order?.column === column ? (order.descending ? "descending" : "ascending") : undefined}
                >
                  <button type="button" onClick={() => sort(column)}>
                    {title}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, drawn).map((row, place) => (
              <tr key={place}>
                {row.map((value, column) => (
                  <td key={column} class={grid.columns[column]?.numeric ? "numeric" : undefined}>
                    <Cell value={value} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {!compact && (
        <div class="result-foot">
          {rows.length > drawn && (
            <>
              <span class="note">
                {drawn} of {rows.length} rows are drawn.
              </span>
              <button type="button" class="quiet" onClick={() => setDrawn(drawn + PAGE)}>
                Draw more
              </button>
            </>
          )}
          <CopyButton text={() => gridTsv({ ...grid, rows })} />
          <button
            type="button"
            class="quiet"
            onClick={() => saveFile(`${label}.csv`, new Blob([gridCsv({ ...grid, rows })], { type: "text/csv" }))}
          >
            CSV
          </button>
        </div>
      )}
    </div>
  );
};

/** Longer texts are shown when they are asked for. */
const SHORT = 80;

const Cell = ({ value }: { readonly value: unknown }) => {
  if (value === null || value === undefined) return <span class="soft">null</span>;
  if (typeof value === "number") return <span title={String(value)}>{exactNumber(value)}</span>;
  const text = cellText(value);
  if (text.length <= SHORT) return <>{text}</>;
  return (
    <details class="result-long">
      <summary>{text.slice(0, SHORT)}…</summary>
      <pre>{typeof value === "object" ? JSON.stringify(value, null, 2) : text}</pre>
    </details>
  );
};
