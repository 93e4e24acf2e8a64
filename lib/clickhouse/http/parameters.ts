/** A value that goes along with a query, and its type in ClickHouse. */
export type Parameter =
  | { readonly type: "String"; readonly value: string }
  | { readonly type: "Array(String)"; readonly value: readonly string[] };

/** SQL that names its parameters as `{name:Type}`. */
export interface SqlWithParameters {
  readonly sql: string;
  readonly parameters: ReadonlyMap<string, Parameter>;
}

/** ClickHouse takes no part of a request that is longer, unless its own configuration says so: its `http_max_field_value_size`. */
export const MOST_PART_BYTES = 131_072;

/** Characters of a part: each takes up to three bytes, or two where it is escaped. */
const PART = 40_000;

/** Characters around a text in an array. */
const QUOTES = 3;

/**
 * The same query with parameters that ClickHouse takes: a long one goes as several, which the query puts together again. A text or a list
 * of any length then has its place.
 */
export const withShortParts = (query: SqlWithParameters): SqlWithParameters => {
  let { sql } = query;
  const parameters = new Map<string, Parameter>();
  for (const [name, parameter] of query.parameters) {
    if (!isLong(parameter)) {
      parameters.set(name, parameter);
      continue;
    }
    const place = (part: Parameter): string => {
      const partName = `${name}_${parameters.size}`;
      parameters.set(partName, part);
      return `{${partName}:${part.type}}`;
    };
    const whole = parameter.type === "String" ? longText(parameter.value, place) : longList(parameter.value, place);
    sql = sql.replaceAll(`{${name}:${parameter.type}}`, () => whole);
  }
  return { sql, parameters };
};

/** Keeps a part and gives what stands for it in the query. */
type Place = (part: Parameter) => string;

const isLong = ({ type, value }: Parameter): boolean =>
  type === "String" ? value.length > PART : value.reduce((sum, text) => sum + text.length + QUOTES, 0) > PART;

const longText = (text: string, place: Place): string => `concat(${pieces(text).map((value) => place({ type: "String", value }))})`;

const longList = (texts: readonly string[], place: Place): string => {
  const lists: string[] = [];
  let [list, length]: [string[], number] = [[], 0];
  const end = (): void => {
    if (list.length > 0) lists.push(place({ type: "Array(String)", value: list }));
    [list, length] = [[], 0];
  };
  for (const text of texts) {
    if (length + text.length + QUOTES > PART) end();
    if (text.length + QUOTES > PART) lists.push(`[${longText(text, place)}]`);
    else list.push(text);
    length += text.length + QUOTES;
  }
  end();
  return `arrayConcat(${lists})`;
};

/** None ends amid a character of two halves. */
const pieces = (text: string): readonly string[] => {
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = from + PART - (isFirstHalf(text.charCodeAt(from + PART - 1)) ? 1 : 0);
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
};

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
