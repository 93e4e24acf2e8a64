import { type Fields, isFields } from "../../event/fields.ts";

/** Conditions joined by AND or OR; groups may hold groups. */
export interface FilterGroup {
  readonly type: "AND" | "OR";
  readonly values: readonly (FilterGroup | FilterLeaf)[];
}

/** One condition on a property. */
export interface FilterLeaf {
  readonly key: string;
  readonly type: string;
  readonly operator: string;
  readonly value: FilterValue;
}

type Scalar = string | number | boolean;
/** Null where none was sent. */
export type FilterValue = Scalar | readonly Scalar[] | null;

/**
 * `shape`: no property group at all; `meaning`: one with an operator or value that does not exist; `pattern`: a regular expression that
 * is none.
 */
export class FilterError extends Error {
  override readonly name = "FilterError";
  readonly kind: "shape" | "meaning" | "pattern";
  constructor(kind: FilterError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Groups and leaves of one rule: it is asked for every event. */
const MAX_NODES = 1_000;
const MAX_DEPTH = 50;

/** Reads a property group as a client wrote it. Throws `FilterError`. */
export const readFilters = (filters: unknown): FilterGroup => {
  let nodes = 0;
  const group = (value: Fields, depth: number): FilterGroup => {
    const { type, values, ...others } = value;
    const isGroup = (type === "AND" || type === "OR") && Array.isArray(values) && Object.keys(others).length === 0;
    if (!isGroup || depth > MAX_DEPTH) throw malformed();
    return { type, values: values.map((item: unknown) => node(item, depth + 1)) };
  };
  const node = (value: unknown, depth: number): FilterGroup | FilterLeaf => {
    nodes += 1;
    if (nodes > MAX_NODES) throw new FilterError("meaning", `A rule has at most ${MAX_NODES} conditions.`);
    if (!isFields(value)) throw malformed();
    return "values" in value ? group(value, depth) : leaf(value);
  };
  if (!isFields(filters)) throw malformed();
  return group(filters, 0);
};

/** All conditions of a group, those of the groups in it included. */
export const allLeaves = ({ values }: FilterGroup): readonly FilterLeaf[] =>
  values.flatMap((value) => ("values" in value ? allLeaves(value) : value));

const LEAF_KEYS: ReadonlySet<string> = new Set(["key", "type", "operator", "value", "label"]);

const leaf = (value: Fields): FilterLeaf => {
  const { key, type, operator, value: wanted, label } = value;
  const isNamed = typeof key === "string" && typeof type === "string" && typeof operator === "string";
  const isLabelled = label === undefined || label === null || typeof label === "string";
  if (!isNamed || !isLabelled || Object.keys(value).some((name) => !LEAF_KEYS.has(name))) throw malformed();
  return { key, type, operator, value: readValue(wanted) };
};

const readValue = (value: unknown): FilterValue => {
  if (value === undefined || value === null || isScalar(value)) return value ?? null;
  if (Array.isArray(value) && value.every(isScalar)) return value;
  throw malformed();
};

/** A number beyond all that a double holds is none: nothing would be kept of it. */
const isScalar = (value: unknown): value is Scalar =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value));

const malformed = (): FilterError => new FilterError("shape", "Invalid filters payload.");
