import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Fields, isFields } from "../../lib/event/fields.ts";

/** A call of an operation that was made once, with its answer. Ids, moments, keys and addresses in it are made up. */
export interface RecordedExample {
  readonly request: { readonly path?: Fields; readonly query?: Fields; readonly body?: unknown };
  /** Without media type and body where it was empty. */
  readonly reply: { readonly status: number; readonly mediaType?: string; readonly body?: unknown };
}

/** By the id of the operation; one for each status of success. */
export type RecordedExamples = Readonly<Record<string, readonly RecordedExample[]>>;

/** Where `npm run examples` writes them, a file for each area. */
export const EXAMPLES_FOLDER = join(import.meta.dirname, "examples");

/** All examples. They are data of the project: whoever wants them has its files. */
export const recordedExamples = async (): Promise<RecordedExamples> => {
  const names = await readdir(EXAMPLES_FOLDER);
  const areas = await Promise.all(names.sort().map(async (name) => JSON.parse(await readFile(join(EXAMPLES_FOLDER, name), "utf8"))));
  return Object.assign({}, ...areas);
};

/** An API description with examples of parameters, bodies and answers as they were recorded. */
export const withExamples = (document: Fields, examples: RecordedExamples): Fields => ({
  ...document,
  paths: mapped(document.paths, (path) => mapped(path, (told) => operation(told, examples[String(told.operationId)] ?? []))),
});

const operation = (told: Fields, examples: readonly RecordedExample[]): Fields => {
  const [first] = examples;
  if (first === undefined) return told;
  const { request } = first;
  return {
    ...told,
    parameters: Array.isArray(told.parameters) ? told.parameters.map((each) => parameter(each, request)) : told.parameters,
    ...(isFields(told.requestBody) && { requestBody: withContent(told.requestBody, "application/json", request.body) }),
    responses: examples.reduce(
      (responses, { reply: { status, mediaType, body } }) =>
        mapped(responses, (response, name) =>
          name === String(status) && mediaType !== undefined ? withContent(response, mediaType, body) : response,
        ),
      told.responses,
    ),
  };
};

const parameter = (told: Fields, { path, query }: RecordedExample["request"]): Fields => {
  const example = (told.in === "path" ? path : query)?.[String(told.name)];
  return example === undefined ? told : { ...told, example };
};

const withContent = (told: Fields, mediaType: string, example: unknown): Fields => ({
  ...told,
  content: mapped(told.content, (content, name) => (name === mediaType && example !== undefined ? { ...content, example } : content)),
});

/** The same object with each object in it changed. */
const mapped = (value: unknown, change: (inner: Fields, name: string) => unknown): Fields =>
  isFields(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, isFields(inner) ? change(inner, name) : inner]))
    : {};
