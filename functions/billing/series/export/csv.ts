import type { Buckets } from "../figures/buckets.ts";
import { type Names, typeLabel, whoseLabel } from "../figures/labels.ts";
import type { Line } from "../figures/lines.ts";
import { type Measure, pointsOf } from "../figures/points.ts";
import type { SeriesRequest } from "../query.ts";

/** What the rows of a file are made of besides the series themselves. */
export interface Table {
  readonly request: SeriesRequest;
  readonly buckets: Buckets;
  readonly measure: Measure;
  readonly names: Names;
  readonly products: ReadonlyMap<string, string>;
}

const CHUNK_CHARACTERS = 64 * 1024;

/** The file, a piece at a time: only the piece at hand is ever held. */
export function* csvOf(lines: readonly Line[], table: Table): Generator<string> {
  let chunk = row(["Product", "Project", "Project ID", "Total", ...table.buckets.dates]);
  for (const line of lines) {
    chunk += rowOf(line, table);
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk;
}

const rowOf = (line: Line, { request, buckets, measure, names, products }: Table): string => {
  const points = pointsOf(line, request, buckets, measure);
  const { type, whose } = line;
  const product = type === null ? (measure === "usage" ? "All usage" : "All spend") : typeLabel(type, products);
  const project = whose === null ? "" : whoseLabel(whose, names);
  const id = typeof whose === "number" ? String(whose) : "";
  // Numbers need no quotes, and there are many of them.
  return `${quoted(product)},${quoted(project)},${id},${totalOf(points, measure)},${points.join(",")}\r\n`;
};

const MICRO = 1e6;

/** What stands in the row, added up: so a reader who adds it up comes to the same. */
const totalOf = (points: readonly number[], measure: Measure): number => {
  const total = points.reduce((sum, point) => sum + point, 0);
  return measure === "usage" ? total : Math.round(total * MICRO) / MICRO;
};

const row = (fields: readonly string[]): string => `${fields.map(quoted).join(",")}\r\n`;

/** A name that a spreadsheet would run as a formula is made text. */
const quoted = (field: string): string => {
  const text = FORMULA.test(field) ? `'${field}` : field;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const FORMULA = /^[=+\-@\t\r]/;
