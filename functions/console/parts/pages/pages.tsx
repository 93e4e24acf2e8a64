import { numberText } from "../number/number.tsx";

interface PagesProps {
  /** What is listed, for readers of screens. */
  readonly label: string;
  readonly offset: number;
  readonly limit: number;
  readonly count: number;
  /** Where the page that begins at an offset is. */
  hrefOf(offset: number): string;
}

/** Which part of a list is shown, and the ways to the parts beside it. Nothing where all of it is shown. */
export const Pages = ({ label, offset, limit, count, hrefOf }: PagesProps) => {
  if (offset === 0 && count <= limit) return null;
  return (
    <nav class="pages" aria-label={`Pages: ${label}`}>
      <span class="soft">
        {numberText(Math.min(offset + 1, count))}–{numberText(Math.min(offset + limit, count))} of {numberText(count)}
      </span>
      {offset > 0 && <a href={hrefOf(Math.max(0, offset - limit))}>Previous</a>}
      {offset + limit < count && <a href={hrefOf(offset + limit)}>Next</a>}
    </nav>
  );
};
