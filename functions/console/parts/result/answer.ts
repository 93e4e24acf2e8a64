/** What a query or a run answers, as far as a result shows it. */
export interface Answer {
  readonly results: readonly unknown[];
  /** Of SQL: the names of its columns, and each with its type. */
  readonly columns?: readonly string[] | undefined;
  readonly types?: readonly (readonly [string, string])[] | undefined;
  readonly hasMore?: boolean | undefined;
  /** The zone in which days and hours are meant. */
  readonly timezone?: string | undefined;
}

export interface TrendRow {
  readonly label: string;
  readonly data: readonly number[];
  readonly days: readonly string[];
  /** In the place of data, where the whole range is one number. */
  readonly aggregated_value?: number;
  readonly compare_label?: string;
}

/** Those who began in one period, and how many of them came back in it and in each later one. */
export interface CohortRow {
  readonly date: string;
  readonly values: readonly { readonly count: number; readonly label: string; readonly aggregation_value?: number }[];
  readonly breakdown_value: string | null;
}

/** An answer by what its rows are. */
export type Rows =
  | { readonly form: "sql"; readonly rows: readonly (readonly unknown[])[]; readonly columns: readonly SqlColumn[]; readonly zone: string }
  | { readonly form: "trends"; readonly rows: readonly TrendRow[] }
  | { readonly form: "retention"; readonly rows: readonly CohortRow[] };

export interface SqlColumn {
  readonly title: string;
  readonly is: "time" | "number" | "text" | "other";
}

/** Tells the forms of answers apart by their rows. */
export const answerRows = ({ results, columns, types = [], timezone: zone = "UTC" }: Answer): Rows => {
  if (columns !== undefined) {
    const described = columns.map((title, at) => ({ title, is: typeIs(types[at]?.[1] ?? "") }));
    return { form: "sql", rows: results as readonly (readonly unknown[])[], columns: described, zone };
  }
  const isRetention = results.some((row) => typeof row === "object" && row !== null && "values" in row);
  return isRetention
    ? { form: "retention", rows: results as readonly CohortRow[] }
    : { form: "trends", rows: results as readonly TrendRow[] };
};

const typeIs = (type: string): SqlColumn["is"] => {
  const inner = type.replace(/^(?:Nullable|LowCardinality)\((.*)\)$/, "$1");
  if (inner !== type) return typeIs(inner);
  if (/^Date/.test(type)) return "time";
  if (/^(?:U?Int|Float|Decimal)/.test(type)) return "number";
  return /^(?:String|FixedString|UUID|Bool|Enum|IPv)/.test(type) ? "text" : "other";
};
