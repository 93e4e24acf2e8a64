import { type Address, useAddress, withQuery } from "../address.ts";

interface PagerProps {
  readonly page: number;
  /** Rows of a page, and in all. */
  readonly rows: number;
  readonly of: number;
}

/** The page that an address names, from 1. */
export const readPage = ({ query }: Address): number => Math.max(1, Math.trunc(Number(query.get("page"))) || 1);

/** Where the pages before and after are; nothing where there is one alone. */
export const Pager = ({ page, rows, of }: PagerProps) => {
  const address = useAddress();
  const last = Math.max(1, Math.ceil(of / rows));
  if (last === 1 && page === 1) return null;
  const before = Math.min(page - 1, last);
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && <a href={withQuery(address, { page: before === 1 ? undefined : String(before) })}>Previous</a>}
      <span>
        Page {page} of {last}
      </span>
      {page < last && <a href={withQuery(address, { page: String(page + 1) })}>Next</a>}
    </nav>
  );
};
