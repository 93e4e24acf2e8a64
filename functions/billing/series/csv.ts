import { csvField, csvLine } from "../../../lib/core/csv.ts";
import type { Buckets, Line, Unit } from "./lines.ts";
import type { Measure, SeriesRequest } from "./query.ts";
import { type Names, typeLabel, wholeLabel, whoseLabel } from "./wire.ts";

/** All that the rows of a file are made of besides the series. */
export interface RowParts<A> {
  readonly unit: Unit<A>;
  readonly request: SeriesRequest;
  readonly buckets: Buckets;
  readonly measure: Measure;
  readonly names: Names;
  readonly products: ReadonlyMap<string, string>;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** The rows of a file, with the first days of their points. Those of a billing service come a page at a time. */
export interface Rows {
  readonly dates: readonly string[];
  readonly rows: Iterable<CsvRow> | AsyncIterable<CsvRow>;
}

/** One series as a file has it. */
export interface CsvRow {
  readonly product: string;
  /** Its name and its id, each empty where there is none. */
  readonly project: string;
  readonly id: string;
  readonly points: readonly number[];
}

/** The file, a piece at a time: only the piece at hand is ever held. */
export async function* csv({ rows, dates }: Rows, measure: Measure): AsyncGenerator<string> {
  let chunk = `${csvLine(["Product", "Project", "Project ID", "Total", ...dates])}\r\n`;
  for await (const { product, project, id, points } of rows) {
    // Numbers need no quotes, and there are many of them.
    chunk += `${csvField(product)},${csvField(project)},${id},${rowTotal(points, measure)},${points.join(",")}\r\n`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

/** The rows of lines, each made when it is asked for. */
export function* csvRows<A>(
  lines: readonly Line<A>[],
  { unit, request, buckets, measure, names, products }: RowParts<A>,
): Generator<CsvRow> {
  for (const line of lines) {
    const { type, whose } = line;
    yield {
      product: type === null ? wholeLabel(measure) : typeLabel(type, products),
      project: whose === null ? "" : whoseLabel(whose, names),
      id: typeof whose === "number" ? String(whose) : "",
      points: unit.points(line.amounts, request, buckets),
    };
  }
}

const MICRO = 1e6;

/** The sum of the points as they stand in the row, so that a reader who adds them up gets the same. */
const rowTotal = (points: readonly number[], measure: Measure): number => {
  const total = points.reduce((sum, point) => sum + point, 0);
  return measure === "usage" ? total : Math.round(total * MICRO) / MICRO;
};
