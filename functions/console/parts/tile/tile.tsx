import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Answer } from "../result/answer.ts";
import type { ResultKind } from "../result/kinds.ts";
import { Result } from "../result/result.tsx";
import { Loaded } from "../state/state.tsx";
import { Ago } from "../time/time.tsx";

/** Tiles beside and below each other: twelve columns, one on a narrow page. */
export const TileGrid = ({ children }: { readonly children: ComponentChildren }) => <div class="tiles">{children}</div>;

/** Rows with the moment at which they were computed. */
export interface TileAnswer extends Answer {
  readonly last_refresh: string;
}

interface TileProps {
  readonly id: string;
  readonly title: string;
  /** Where its title leads. */
  readonly href?: string;
  readonly plot: ResultKind;
  /** Columns, of twelve. */
  readonly width: number;
  /** Rows, from one to three. */
  readonly height: number;
  readonly of: { readonly data: TileAnswer | undefined; readonly at?: number | undefined; readonly problem: Error | undefined };
  /** What one has to know of the rows, in a few words. */
  readonly note?: string;
  /** What can be done with it. */
  readonly children?: ComponentChildren;
}

/** Of the drawing in a tile of one, two and three rows, in pixels: a tile without its title, legend and menu. */
const PLOT_HEIGHTS = [136, 376, 616];

/** One result of a page, in its place, with its age. While another is on its way the one before stays, dimmed. */
export const Tile = ({ id, title, href, plot, width, height, of, note, children }: TileProps) => {
  const before = useRef<TileAnswer>(undefined);
  if (of.data !== undefined) before.current = of.data;
  const isOld = of.data === undefined && of.problem === undefined && before.current !== undefined;
  const shown = isOld ? { ...of, data: before.current } : of;
  return (
    <article class={`tile width-${width} height-${height}`} aria-label={title} data-tile={id}>
      <header>
        <h2 title={title}>{href ? <a href={href}>{title}</a> : title}</h2>
        {shown.data && (
          <span class="note">
            {note && `${note} · `}
            <Ago at={shown.data.last_refresh} />
          </span>
        )}
      </header>
      {children}
      <div class={isOld ? "tile-body old" : "tile-body"} aria-busy={isOld}>
        <Loaded of={shown} lines={height * 5}>
          {(answer) => <Result answer={answer} kind={plot} label={title} height={PLOT_HEIGHTS[height - 1]} />}
        </Loaded>
      </div>
    </article>
  );
};
