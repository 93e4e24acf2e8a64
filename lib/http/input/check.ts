import * as z from "zod";
import { malformedText } from "../../core/malformed-text.ts";
import { type ApiError, bare, invalid, parseError } from "../errors.ts";
import { toBoolean, toNumber } from "../fields.ts";
import type { ParsedBody } from "./body.ts";
import { firstProblem, type Problem, shownPath, wireMessage } from "./problem.ts";

/** How a body that does not fit its schema is answered; see `route`. */
export type BodyErrors = "fields" | "parse" | "dotted" | "plain";

/** The schema's output for a query. Throws 400 for the first parameter that does not fit. */
export const checkQuery = <S extends z.ZodType>(schema: S, query: Readonly<Record<string, string>>): z.output<S> =>
  check(schema, query, fieldError);

/** The schema's output for the body of a request by a method. Throws 400 for the first thing that does not fit. */
export const checkBody = <S extends z.ZodType>(schema: S, body: ParsedBody, method: string, style: BodyErrors): z.output<S> => {
  const isPartial = method === "PATCH" || style === "parse";
  const input = body.kind === "form" ? formInput(schema, body.values, { isPartial }) : withoutKey(body.value);
  const malformed = malformedText(input);
  if (malformed !== null) throw STYLES[style === "parse" ? "fields" : style](half(malformed));
  return check(schema, input, STYLES[style]);
};

const half = (path: readonly (string | number)[]): Problem => ({
  path: shownPath(path),
  code: "invalid_input",
  detail: "This text holds half of a surrogate pair, which is no character: send well-formed Unicode.",
  place: "field",
});

const fieldError = ({ path, code, detail, place }: Problem): ApiError => {
  const parts = place === "object" && path.length > 0 ? [...path, "non_field_errors"] : path;
  return invalid(parts.length === 0 ? null : parts.join("__"), detail, code);
};

const STYLES: Readonly<Record<BodyErrors, (problem: Problem) => ApiError>> = {
  fields: fieldError,
  parse: ({ path, detail }) => parseError(path.length === 0 ? detail : `${path.join(".")}: ${detail}`),
  dotted: ({ path, detail }) => invalid(path.length === 0 ? null : path.join("."), detail),
  plain: ({ path, detail }) => bare(400, { error: path.length === 0 ? detail : `${path.join(".")}: ${detail}` }),
};

const check = <S extends z.ZodType>(schema: S, input: unknown, toError: (problem: Problem) => ApiError): z.output<S> => {
  const result = schema.safeParse(input, { error: wireMessage, reportInput: true });
  if (result.success) return result.data;
  throw toError(firstProblem(result.error.issues));
};

/** The body without the key that it may carry: it names the caller, and is no field of any operation. */
const withoutKey = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "personal_api_key")) return value;
  const { personal_api_key: _, ...rest } = { ...value, personal_api_key: undefined };
  return rest;
};

/**
 * A form's fields as the input of a body's schema: where the schema wants a list all values of a name, else the last one, which is
 * read as a number or a boolean where it wants one of these, also a schema that takes neither as text from JSON; and a checkbox that is
 * not ticked is not sent, so an absent boolean is false, but not where the body leaves alone what it does not name: that of a PATCH, and
 * one that is answered with `parse_error` as a whole, whose PUT is a PATCH.
 */
const formInput = (
  schema: z.ZodType,
  values: ReadonlyMap<string, readonly string[]>,
  { isPartial }: { readonly isPartial: boolean },
): Readonly<Record<string, unknown>> => {
  const { shape, takesOthers } = objectFields(schema);
  const input: Record<string, unknown> = {};
  // What nobody asks for is not carried over: there may be hundreds of thousands.
  for (const name of takesOthers ? values.keys() : Object.keys(shape)) {
    const all = values.get(name);
    if (all !== undefined && name !== "personal_api_key") input[name] = fieldValue(shape[name], all);
  }
  if (isPartial) return input;
  for (const [name, field] of Object.entries(shape)) {
    if (!(name in input) && isBoolean(field)) input[name] = false;
  }
  return input;
};

const fieldValue = (field: z.core.$ZodType | undefined, all: readonly string[]): unknown => {
  const wanted = field === undefined ? undefined : unwrapped(field);
  if (wanted instanceof z.ZodArray) return all;
  const last = all.at(-1);
  if (wanted instanceof z.ZodNumber) return toNumber(last);
  return wanted instanceof z.ZodBoolean ? toBoolean(last) : last;
};

/** The fields that a schema names, and whether it takes or refuses others, which it has to see then. */
const objectFields = (schema: z.ZodType): { readonly shape: Readonly<Record<string, z.core.$ZodType>>; readonly takesOthers: boolean } => {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodObject
    ? { shape: inner.shape, takesOthers: inner.def.catchall !== undefined }
    : { shape: {}, takesOthers: true };
};

const isBoolean = (field: z.core.$ZodType): boolean => unwrapped(field) instanceof z.ZodBoolean;

/** The schema within the layers that make it optional or convert its input. */
const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType => {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault
  ) {
    return unwrapped(schema.unwrap());
  }
  if (schema instanceof z.ZodPipe) return unwrapped(schema.in instanceof z.ZodTransform ? schema.out : schema.in);
  return schema;
};
