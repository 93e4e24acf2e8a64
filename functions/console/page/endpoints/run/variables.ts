import { typedValue, valueText } from "../../../parts/field/typed-value.ts";
import type { Endpoint } from "../calls.ts";

/** A variable of a run. */
export interface Variable {
  readonly name: string;
  /** What its values are; `any` where the query does not say. */
  readonly type: "string" | "number" | "boolean" | "array" | "any";
  /** Whether clients are to give it always. Only where the version has a table a run without it is refused. */
  readonly required: boolean;
  readonly hint: string | undefined;
  /** What a run takes where it is not given; undefined where there is nothing. */
  readonly default: unknown;
}

/** As much of a run's OpenAPI description as says what its variables are. */
interface Described {
  readonly components?: {
    readonly schemas?: {
      readonly Variables?: {
        readonly properties?: Readonly<Record<string, { readonly type?: string; readonly description?: string }>>;
        readonly required?: readonly string[];
      };
    };
  };
}

/** The variables of a version, from the description of its run and the defaults of its query. */
export const runVariables = (description: object, { query }: Pick<Endpoint, "query">): readonly Variable[] => {
  const { properties = {}, required = [] } = (description as Described).components?.schemas?.Variables ?? {};
  const inline = query?.kind === "HogQLQuery" ? Object.values(query.variables ?? {}) : [];
  return Object.entries(properties).map(([name, schema]) => {
    const definition = inline.find(({ code_name }) => code_name === name);
    return {
      name,
      type: TYPES.find((type) => type === schema.type) ?? "any",
      required: required.includes(name),
      hint: schema.description,
      default: definition?.isNull ? null : (definition?.value ?? undefined),
    };
  });
};

const TYPES = ["string", "number", "boolean", "array"] as const;

/** What the field of a variable shows of a value. */
export const fieldText = ({ type }: Variable, value: unknown): string => {
  if (value === undefined) return "";
  return type === "string" && typeof value === "string" ? value : valueText(value);
};

/** The value that a field says, or undefined where it leaves the variable out. */
export const fieldValue = ({ type, default: usual }: Variable, text: string): unknown => {
  if (type === "string") return text === "" && usual === undefined ? undefined : text;
  if (text.trim() === "") return undefined;
  return typedValue(text);
};

/** Whether a run has to be told a value, because it would take another one without. */
export const isSent = ({ required, default: usual }: Variable, value: unknown): boolean =>
  value !== undefined && (required || JSON.stringify(value) !== JSON.stringify(usual));

/** Values to show in examples: the default, or a word in its place. */
export const exampleValues = (variables: readonly Variable[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(variables.filter(isShown).map((variable) => [variable.name, variable.default ?? PLACE_HOLDERS[variable.type]]));

const isShown = ({ required, default: usual }: Variable): boolean => required || (usual !== undefined && usual !== null);

const PLACE_HOLDERS: Readonly<Record<Variable["type"], unknown>> = { string: "…", number: 0, boolean: true, array: [], any: "…" };
