import type { ComponentChildren } from "preact";

export interface Column<T> {
  readonly title: string;
  /** Numbers stand at the right. */
  readonly numeric?: boolean;
  /** Grows with the room that is left; the others take what they need. */
  readonly wide?: boolean;
  cell(row: T): ComponentChildren;
}

interface TableProps<T> {
  /** What the table holds, for readers of screens. */
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  keyOf(row: T): string | number;
  /** The row that is open. */
  readonly open?: string | number | undefined;
  /** Where a row leads. The first cell is the link; a press anywhere on the row follows it. */
  hrefOf?(row: T): string;
  /** In the place of rows, where there are none. */
  readonly empty?: ComponentChildren;
}

/** Rows that read like sentences. */
export function Table<T>({ label, columns, rows, keyOf, open, hrefOf, empty }: TableProps<T>) {
  if (rows.length === 0 && empty) return <>{empty}</>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table is no set of fields.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys.
    <div class="table" role="group" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map(({ title, numeric, wide }) => (
              <th key={title} scope="col" class={cellClass(numeric, wide)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)} class={hrefOf ? "linked" : undefined} aria-current={keyOf(row) === open ? "true" : undefined}>
              {columns.map(({ title, numeric, wide, cell }, place) => (
                <td key={title} class={cellClass(numeric, wide)}>
                  {place === 0 && hrefOf ? <a href={hrefOf(row)}>{cell(row)}</a> : cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cellClass = (numeric = false, wide = false): string | undefined =>
  [numeric && "numeric", wide && "wide"].filter(Boolean).join(" ") || undefined;
