import { useEffect, useId, useRef, useState } from "preact/hooks";
import { saveFile } from "../file/file.ts";
import type { Drawn } from "./canvas.ts";
import { onTheme, SERIES_COLOURS } from "./palette.ts";
import { exactNumber, type PlotData, type PlotKind, placeText, plotCsv } from "./plot-data.ts";

interface PlotProps {
  readonly data: PlotData;
  readonly kind: PlotKind;
  /** Series stand on each other; otherwise bars stand side by side, and lines and areas overlap. */
  readonly stacked?: boolean;
  /** What the plot shows, as a sentence for readers of screens and as the name of its files. */
  readonly label: string;
  /** Of the drawing, in pixels. */
  readonly height?: number;
  /** The drawing alone: without legend and files. Its numbers stay there for readers of screens. */
  readonly compact?: boolean;
}

/** Lines, areas or bars. Pointing at them, or the arrow keys, say the exact numbers. */
export const Plot = ({ data, kind, stacked = false, label, height = 280, compact = false }: PlotProps) => {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn>(undefined);
  const [at, setAt] = useState<number>();
  const [theme, setTheme] = useState(0);
  useEffect(() => onTheme(() => setTheme((count) => count + 1)), []);
  useEffect(() => {
    let isGone = false;
    void import("./canvas.ts").then(({ drawPlot }) => {
      if (!isGone && box.current) drawn.current = drawPlot(box.current, { data, kind, stacked, pointed: setAt });
    });
    return () => {
      isGone = true;
      drawn.current?.destroy();
      drawn.current = undefined;
    };
  }, [data, kind, stacked, theme]);

  const last = data.x.values.length - 1;
  const pressed = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: (at ?? last + 1) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key];
    if (next === undefined || last < 0) return;
    event.preventDefault();
    drawn.current?.point(Math.min(last, Math.max(0, next)));
  };

  return (
    <figure class="plot">
      {/* biome-ignore-start lint/a11y: a picture whose places are walked through by the arrow keys. */}
      <div ref={box} class="plot-box" role="img" aria-label={label} tabIndex={0} style={{ height: `${height}px` }} onKeyDown={pressed} />
      {/* biome-ignore-end lint/a11y: as above */}
      {!compact && <Legend data={data} at={at} />}
      {compact ? (
        <div class="hidden">
          <Values data={data} label={label} />
        </div>
      ) : (
        <PlotMenu data={data} label={label} png={() => drawn.current?.png()} />
      )}
      {!compact && data.leftOut && <p class="note">{data.leftOut}</p>}
    </figure>
  );
};

/** The series by colour, with their numbers at the place that is pointed at. */
const Legend = ({ data, at }: { readonly data: PlotData; readonly at: number | undefined }) => (
  <figcaption class="plot-legend">
    <span class="plot-place" aria-live="polite">
      {at === undefined ? "" : placeText(data.x, at)}
    </span>
    {data.series.map(({ title, values }, place) => (
      <span key={place} class={`plot-series series-${(place % SERIES_COLOURS) + 1}${place < SERIES_COLOURS ? "" : " dashed"}`}>
        {title} {at !== undefined && <strong>{exactNumber(values[at])}</strong>}
      </span>
    ))}
  </figcaption>
);

interface MenuProps {
  readonly data: PlotData;
  readonly label: string;
  png(): Promise<Blob | null> | undefined;
}

const PlotMenu = ({ data, label, png }: MenuProps) => {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const savePng = async (): Promise<void> => {
    const picture = await png();
    if (picture) saveFile(`${label}.png`, picture);
  };
  return (
    <>
      <div class="plot-menu">
        <button type="button" class="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          Numbers
        </button>
        <button type="button" class="quiet" onClick={() => void savePng()}>
          PNG
        </button>
        <button type="button" class="quiet" onClick={() => saveFile(`${label}.csv`, new Blob([plotCsv(data)], { type: "text/csv" }))}>
          CSV
        </button>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <Values data={data} label={label} />}
      </div>
    </>
  );
};

/** More lines than these are a file's. */
const MOST_LINES = 200;

/** The numbers behind the drawing. */
const Values = ({ data: { x, series }, label }: { readonly data: PlotData; readonly label: string }) => {
  const count = x.values.length;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be wider than its place, and then is scrolled by keys.
    <section class="table plot-values" aria-label={`Numbers: ${label}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{x.kind === "time" ? "Time" : "Of"}</th>
            {series.map(({ title }, place) => (
              <th key={place} scope="col" class="numeric">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: Math.min(count, MOST_LINES) }, (_, at) => (
            <tr key={at}>
              <th scope="row">{placeText(x, at)}</th>
              {series.map(({ values }, place) => (
                <td key={place} class="numeric">
                  {exactNumber(values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {count > MOST_LINES && (
        <p class="note">
          The first {MOST_LINES} of {count}; the CSV has all.
        </p>
      )}
    </section>
  );
};
