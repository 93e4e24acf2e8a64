import type * as z from "zod";
import { malformedText } from "../core/malformed-text.ts";
import type { ParsedBody } from "./body.ts";
import { type ApiError, bare, invalid, parseError } from "./errors.ts";
import { formInput } from "./form.ts";
import { type Problem, problemOf, wireMessage } from "./problem.ts";

/** How a body that does not fit its schema is answered; see `route`. */
export type BodyErrors = "fields" | "parse" | "dotted" | "plain";

/** The schema's output for a query. Throws 400 for the first parameter that does not fit. */
export const checkQuery = <S extends z.ZodType>(schema: S, query: Readonly<Record<string, string>>): z.output<S> =>
  check(schema, query, fieldError);

/** The schema's output for a body. Throws 400 for the first thing that does not fit. */
export const checkBody = <S extends z.ZodType>(schema: S, body: ParsedBody, style: BodyErrors): z.output<S> => {
  const input = body.kind === "form" ? formInput(schema, body.values) : withoutKey(body.value);
  const malformed = malformedText(input);
  if (malformed !== null) throw invalid(malformed.length === 0 ? null : malformed.join(style === "dotted" ? "." : "__"), MALFORMED);
  return check(schema, input, STYLES[style]);
};

const MALFORMED = "This text holds half of a surrogate pair, which is no character: send well-formed Unicode.";

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
  throw toError(problemOf(result.error.issues));
};

/** The body without the key that it may carry: it names the caller, and is no field of any operation. */
const withoutKey = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "personal_api_key")) return value;
  const { personal_api_key: _, ...rest } = { ...value, personal_api_key: undefined };
  return rest;
};
