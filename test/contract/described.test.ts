import { expect, it } from "vitest";
import * as z from "zod";
import { describeGroups, TAGS } from "../../functions/docs/description.ts";
import { FIELDS } from "../../functions/docs/fields.ts";
import { groups } from "../../functions/index.ts";
import { openapi } from "../../lib/http/openapi.ts";

/** Words below which a description says no more than the name does. */
const FEWEST_WORDS = 4;

const Operation = z.looseObject({
  operationId: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  parameters: z.array(z.looseObject({ name: z.string(), in: z.string(), description: z.string().optional() })).default([]),
});
const Document = z.looseObject({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

const describe = describeGroups(() => groups);
const document = Document.parse(
  JSON.parse(await describe({ baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org" })),
);
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

const words = (text: unknown): number => (typeof text === "string" ? text.split(/\s+/).filter((word) => /\w/.test(word)).length : 0);

interface Field {
  /** Names from the schema on, joined by dots. */
  readonly path: string;
  readonly description: unknown;
}

/** Every field below a part of the document, through everything that a schema may hold. */
const fieldsIn = (part: unknown, path = ""): readonly Field[] => {
  if (Array.isArray(part)) return part.flatMap((each) => fieldsIn(each, path));
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([keyword, inner]) => {
    if (["example", "examples", "default", "enum", "const"].includes(keyword)) return [];
    if (keyword !== "properties") return fieldsIn(inner, path);
    return Object.entries(Object(inner)).flatMap(([name, field]) => {
      const own = path === "" ? name : `${path}.${name}`;
      return [{ path: own, description: Object(field).description }, ...fieldsIn(field, own)];
    });
  });
};

/** Fields by the name of their schema, or by the operation whose body or reply has them. */
const fields = new Map<string, readonly Field[]>([
  ...Object.entries(document.components.schemas).map(([name, schema]) => [name, fieldsIn(schema)] as const),
  ...operations.map((operation) => [operation.operationId, fieldsIn(operation)] as const),
]);

it("every field of every schema is described", () => {
  const bare = [...fields].flatMap(([schema, all]) =>
    all.filter(({ description }) => words(description) < FEWEST_WORDS).map(({ path, description }) => `${schema}: ${path}: ${description}`),
  );
  expect(bare).toEqual([]);
  expect([...fields.values()].flat().length).toBeGreaterThan(1_000);
});

it("every parameter is described", () => {
  const bare = operations.flatMap(({ operationId, parameters }) =>
    parameters.filter(({ description }) => words(description) < FEWEST_WORDS).map(({ name }) => `${operationId}: ${name}`),
  );
  expect(bare).toEqual([]);
});

it("every operation has a summary, and tags that are described, in the order of the documentation", () => {
  expect(operations.filter(({ summary }) => words(summary) < 2).map(({ operationId }) => operationId)).toEqual([]);
  expect(document.tags).toEqual(Object.entries(TAGS).map(([name, description]) => ({ name, description })));
  const told = document.tags.map(({ name }) => name);
  expect(operations.flatMap(({ tags }) => tags).filter((tag) => !told.includes(tag) || tag.includes("_"))).toEqual([]);
  expect(document.tags.filter(({ description }) => words(description) < FEWEST_WORDS)).toEqual([]);
});

it("no text is written for a field that there is not", () => {
  const shown = (name: string): readonly Field[] => [...(fields.get(name) ?? []), ...(fields.get(`${name}Request`) ?? [])];
  const idle = Object.entries(FIELDS.schemas).flatMap(([name, texts]) =>
    name === "PaginatedList"
      ? []
      : Object.entries(texts)
          .filter(([path, text]) => !shown(name).some((field) => field.path === path && field.description === text))
          .map(([path]) => `${name}: ${path}`),
  );
  expect(idle).toEqual([]);
  const holes = Object.keys(document.paths).join("\n");
  expect(Object.keys(FIELDS.pathParameters).filter((place) => !`${holes}\n`.includes(place))).toEqual([]);
});

it("schemas leave what their fields mean to the texts, so that no function carries it", () => {
  const facts = { title: "t", description: "d", baseUrl: "https://api.example.org", ingestUrl: "https://ingest.example.org", tags: {} };
  const { schemas } = z.object({ schemas: z.record(z.string(), z.unknown()) }).parse(openapi(groups, facts).components);
  const told = Object.entries(schemas).flatMap(([name, schema]) =>
    name === "Error" ? [] : fieldsIn(schema).flatMap(({ path, description }) => (description === undefined ? [] : [`${name}: ${path}`])),
  );
  expect(told).toEqual([]);
});

it("numbers are described as integers, pages with their bounds", () => {
  const odd = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ name }) =>
        /^(limit|offset|version|page_size|top_projects|bucket_minutes|team_id|project_id|created_by|integration_id)$/.test(name),
      )
      .filter(({ schema }) => Object(schema).type !== "integer")
      .map(({ name }) => `${operationId}: ${name}`),
  );
  expect(odd).toEqual([]);
  const unbounded = operations.flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ name, schema }) => /^(limit|offset)$/.test(name) && Object(schema).minimum === undefined)
      .map(({ name }) => `${operationId}: ${name}`),
  );
  expect(unbounded).toEqual([]);
});
