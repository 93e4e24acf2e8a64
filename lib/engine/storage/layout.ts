import { readFooter } from "../../lake/parquet.ts";

/** Bytes of a file, `to` excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where the chunks of each column lie. */
export type Layout = ReadonlyMap<string, readonly Range[]>;

export const bytesIn = (ranges: readonly Range[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0);

/** The bytes of each column. */
export const columnSizes = (layout: Layout): ReadonlyMap<string, number> =>
  new Map([...layout].map(([column, ranges]) => [column, bytesIn(ranges)]));

/** The places of a file's column chunks, from its footer's metadata. */
export const columnLayout = (footer: Uint8Array): Layout => {
  const layout = new Map<string, Range[]>();
  for (const group of readFooter(footer).row_groups) {
    for (const { meta_data: meta } of group.columns) {
      const name = meta?.path_in_schema[0];
      if (!meta || name === undefined) continue;
      const data = Number(meta.data_page_offset);
      const dictionary = meta.dictionary_page_offset;
      const from = dictionary === undefined ? data : Math.min(data, Number(dictionary));
      const ranges = layout.get(name) ?? [];
      ranges.push({ from, to: from + Number(meta.total_compressed_size) });
      layout.set(name, ranges);
    }
  }
  return layout;
};

/** Two ranges nearer than this become one request. */
const NEAR_BYTES = 65_536;

/** But what is fetched between ranges stays below this part of what is needed. */
const WASTE = 0.15;

/** The requests that fetch all ranges: near ones together, the smallest gaps first, within the allowed waste. */
export const mergeRanges = (ranges: readonly Range[]): readonly Range[] => {
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  const needed = bytesIn(sorted);
  const gaps = sorted.slice(1).map(({ from }, at) => from - (sorted[at]?.to ?? from));
  let budget = needed * WASTE;
  let limit = 0;
  for (const gap of gaps.filter((size) => size < NEAR_BYTES).sort((a, b) => a - b)) {
    budget -= gap;
    if (budget < 0) break;
    limit = gap;
  }
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of sorted) {
    const last = merged.at(-1);
    if (last && from - last.to <= limit && withinBudget(gaps, limit, needed)) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
};

/** Equal gaps at the limit are taken together, so the sum is checked again with all of them. */
const withinBudget = (gaps: readonly number[], limit: number, needed: number): boolean =>
  limit === 0 || gaps.filter((gap) => gap <= limit).reduce((sum, gap) => sum + gap, 0) <= needed * WASTE;
