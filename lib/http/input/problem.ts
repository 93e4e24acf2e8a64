import * as z from "zod";
import { shortened } from "../../core/shortened.ts";
import { isFields } from "../../event/fields.ts";

/** The first thing wrong with an input, in the contract's words (conventions 8.1). */
export interface Problem {
  readonly path: readonly string[];
  readonly code: string;
  readonly detail: string;
  /** "object": the object at `path` as a whole is wrong, not one of its fields. */
  readonly place: "field" | "object";
}

const DATETIME_FORMATS = "YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]";
const DATE_FORMATS = "YYYY-MM-DD";

/** Translates the first issue of a refused input. Total: whatever the issue, the answer is a problem of the contract. */
export const firstProblem = (issues: readonly z.core.$ZodIssue[]): Problem => {
  const issue = first(issues);
  return issue === undefined ? { path: [], code: "invalid_input", detail: "Invalid data.", place: "object" } : translated(issue, []);
};

/** The issue that comes first; of a whole number beyond what a double holds that it is beyond its field's own bound, where it has one. */
const first = ([issue, next]: readonly z.core.$ZodIssue[]): z.core.$ZodIssue | undefined =>
  isBound(issue) && issue.origin === "int" && isBound(next) && String(next.path) === String(issue.path) ? next : issue;

const isBound = (issue: z.core.$ZodIssue | undefined): issue is z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall =>
  issue?.code === "too_big" || issue?.code === "too_small";

const translated = (issue: z.core.$ZodIssue, above: readonly PropertyKey[]): Problem => {
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    const branch = nearest(issue.errors);
    if (branch) return translated(branch, path);
  }
  if (issue.code === "invalid_key" || issue.code === "invalid_element") {
    const inner = issue.issues[0];
    if (inner) return translated(inner, path);
  }
  if (issue.code === "unrecognized_keys") {
    const key = issue.keys[0] ?? "";
    return { path: shownPath([...path, key]), code: "invalid_input", detail: issue.message, place: "field" };
  }
  return { path: shownPath(path), code: issueCode(issue), detail: issue.message, place: isWhole(issue) ? "object" : "field" };
};

/** Of the branches of a union, the issue that lies deepest: the branch that the sender most likely meant. */
const nearest = (branches: readonly (readonly z.core.$ZodIssue[])[]): z.core.$ZodIssue | undefined =>
  branches
    .flatMap((issues) => first(issues) ?? [])
    .reduce<z.core.$ZodIssue | undefined>(
      (best, issue) => (best === undefined || issue.path.length > best.path.length ? issue : best),
      undefined,
    );

/** An object that is no object, or that a rule of its own refuses without naming a field. */
const isWhole = (issue: z.core.$ZodIssue): boolean =>
  issue.code === "invalid_type" && issue.expected === "object" && issue.input !== undefined && issue.input !== null;

const issueCode = (issue: z.core.$ZodIssue): string => {
  if (issue.code === "custom") return typeof issue.params?.code === "string" ? issue.params.code : "invalid_input";
  if (issue.code === "invalid_type" || issue.code === "invalid_value" || issue.code === "invalid_union") {
    const input = refusedInput(issue);
    if (input === undefined) return "required";
    if (input === null) return "null";
  }
  switch (issue.code) {
    case "invalid_union":
      return isOfNoKind(issue) ? "invalid_choice" : "invalid_input";
    case "invalid_type":
      if (issue.expected === "array" || issue.expected === "tuple") return "not_a_list";
      return issue.expected === "record" || issue.expected === "map" ? "not_a_dict" : "invalid_input";
    case "invalid_value":
      return "invalid_choice";
    case "too_big":
      return isLength(issue.origin) ? "max_length" : "max_value";
    case "too_small":
      if (isEmpty(issue)) return issue.origin === "string" ? "blank" : "empty";
      return isLength(issue.origin) ? "min_length" : "min_value";
    default:
      return "invalid_input";
  }
};

/** Whether the field that says which form of several an object has names none of them; the issue's own input is the whole object. */
const isOfNoKind = (issue: object): issue is { readonly discriminator: string } =>
  "discriminator" in issue && issue.discriminator !== undefined;

/** What an issue is about. */
const refusedInput = (issue: { readonly input?: unknown }): unknown =>
  isOfNoKind(issue) && isFields(issue.input) ? issue.input[issue.discriminator] : issue.input;

const isLength = (origin: string): boolean => ["string", "array", "set", "map", "file", "object"].includes(origin);

const isEmpty = (issue: { readonly origin: string; readonly minimum: unknown; readonly input?: unknown }): boolean =>
  (issue.input === "" && issue.origin === "string") || (Array.isArray(issue.input) && issue.input.length === 0);

/** The contract's text for an issue: passed to every parse, so that only a schema's own message wins over it. */
export const wireMessage: z.core.$ZodErrorMap = (issue) => {
  if (["invalid_type", "invalid_value", "invalid_union"].includes(issue.code)) {
    const input = refusedInput(issue);
    if (input === undefined) return "This field is required.";
    if (input === null) return issue.path?.length === 0 || issue.path === undefined ? "No data provided" : "This field may not be null.";
  }
  switch (issue.code) {
    case "invalid_type":
      return wrongType(isWholeNumber(issue.inst) ? "int" : issue.expected, issue.input);
    case "invalid_value":
      return `"${shown(issue.input)}" is not a valid choice.`;
    case "too_big":
      return tooBig(issue.origin, issue.maximum, issue.inclusive);
    case "too_small":
      if (issue.origin === "string" && issue.input === "") return "This field may not be blank.";
      if (Array.isArray(issue.input) && issue.input.length === 0) return "This list may not be empty.";
      return tooSmall(issue.origin, issue.minimum, issue.inclusive);
    case "invalid_format":
      return wrongFormat(issue.format);
    case "not_multiple_of":
      return `Ensure this value is a multiple of ${issue.divisor}.`;
    case "unrecognized_keys":
      return `Unexpected field "${shown(issue.keys[0] ?? "")}".`;
    case "invalid_union":
      return `"${shown(refusedInput(issue))}" is not a valid choice.`;
    default:
      return "Invalid value.";
  }
};

const WHOLE_FORMATS: ReadonlySet<unknown> = new Set(["safeint", "int32", "uint32"]);

/** A schema of whole numbers says "number" of text, and "int" only of fractions. */
const isWholeNumber = (schema: unknown): boolean => schema instanceof z.ZodNumberFormat && WHOLE_FORMATS.has(schema.format);

const wrongType = (expected: string, input: unknown): string => {
  switch (expected) {
    case "string":
      return "Not a valid string.";
    case "number":
      return "A valid number is required.";
    case "int":
    case "bigint":
      return "A valid integer is required.";
    case "boolean":
      return "Must be a valid boolean.";
    case "array":
    case "tuple":
      return `Expected a list of items but got type "${typeName(input)}".`;
    case "record":
    case "map":
      return `Expected a dictionary of items but got type "${typeName(input)}".`;
    case "object":
      return `Invalid data. Expected a dictionary, but got ${typeName(input)}.`;
    default:
      return "Invalid value.";
  }
};

const tooBig = (origin: string, maximum: number | bigint, inclusive = true): string => {
  if (origin === "string") return `Ensure this field has no more than ${maximum} characters.`;
  if (isLength(origin)) return `Ensure this field has no more than ${maximum} elements.`;
  return inclusive ? `Ensure this value is less than or equal to ${maximum}.` : `Ensure this value is less than ${maximum}.`;
};

const tooSmall = (origin: string, minimum: number | bigint, inclusive = true): string => {
  if (origin === "string") return `Ensure this field has at least ${minimum} characters.`;
  if (isLength(origin)) return `Ensure this field has at least ${minimum} elements.`;
  return inclusive ? `Ensure this value is greater than or equal to ${minimum}.` : `Ensure this value is greater than ${minimum}.`;
};

const wrongFormat = (format: string): string => {
  switch (format) {
    case "uuid":
    case "guid":
      return "Must be a valid UUID.";
    case "datetime":
      return `Datetime has wrong format. Use one of these formats instead: ${DATETIME_FORMATS}.`;
    case "date":
      return `Date has wrong format. Use one of these formats instead: ${DATE_FORMATS}.`;
    case "email":
      return "Enter a valid email address.";
    case "url":
      return "Enter a valid URL.";
    default:
      return "This value does not match the required pattern.";
  }
};

/** The name that the contract gives a JSON type. */
export const typeName = (input: unknown): string => {
  switch (typeof input) {
    case "string":
      return "str";
    case "number":
    case "bigint":
      return Number.isInteger(input) ? "int" : "float";
    case "boolean":
      return "bool";
    default:
      if (input === null || input === undefined) return "NoneType";
      return Array.isArray(input) ? "list" : "dict";
  }
};

/** Where something is wrong. Names are the sender's too, and as long as they like: whole, they could be more than an answer holds. */
export const shownPath = (path: readonly PropertyKey[]): readonly string[] => path.map((part) => shown(String(part)));

const LONGEST_SHOWN = 200;

/** A value inside a message: text as it is, everything else as JSON, cut so that a large one does not fill the answer. */
const shown = (input: unknown): string => shortened(isPlain(input) ? String(input) : (JSON.stringify(input) ?? ""), LONGEST_SHOWN);

/** Text, and a number, also one too large for a double, which JSON can only call null. */
const isPlain = (input: unknown): boolean => typeof input === "string" || typeof input === "number";
