interface SortHeadProps {
  readonly title: string;
  /** Where the rows are sorted by this column, or the other way round. */
  readonly href: string;
  /** How they are sorted by it now; left out where they are not. */
  readonly direction?: "ascending" | "descending" | undefined;
  readonly numeric?: boolean | undefined;
}

/** The head of a column that sorts by it. */
export const SortHead = ({ title, href, direction, numeric = false }: SortHeadProps) => (
  <th scope="col" class={numeric ? "numeric" : undefined} aria-sort={direction}>
    <a class="sort" href={href}>
      {title}
      {direction && <span aria-hidden="true">{direction === "descending" ? " ↓" : " ↑"}</span>}
    </a>
  </th>
);
