import { holes } from "../core/template.ts";
import type { DeclaredGroup } from "./group.ts";
import { REQUEST_MEDIA_TYPES } from "./input/body.ts";
import { type FieldTexts, withTexts } from "./openapi/field-texts.ts";
import { operationIds } from "./openapi/operation-ids.ts";
import { errorResponses, SHARED_RESPONSES } from "./openapi/responses.ts";
import { type JsonSchema, type SchemaBook, schemaBook } from "./openapi/schemas.ts";
import { fileAddress, type ReplyHeaders } from "./reply.ts";
import type { DeclaredRoute } from "./route.ts";

/**
 * The fields of all schemas. They stand apart from the schemas, because every function carries its schemas and only the API's
 * description needs the sentences.
 */
export interface FieldBook {
  /** By the schema's name; where it has none, by the id of the operation whose body or reply it is. */
  readonly schemas: Readonly<Record<string, FieldTexts>>;
  /** The parameters of paths, by the piece before them: `projects/{project_id}`. */
  readonly pathParameters: FieldTexts;
}

/** Facts of the document beyond the operations. */
export interface DocumentFacts {
  readonly title: string;
  readonly description: string;
  /** Addresses of the two hosts, without a final slash. */
  readonly baseUrl: string;
  readonly ingestUrl: string;
  /** Tag name → what its operations are about, in the order in which a reader meets them. */
  readonly tags: Readonly<Record<string, string>>;
  /** The meaning of fields. */
  readonly fields?: FieldBook;
}

const NO_FIELDS: FieldBook = { schemas: {}, pathParameters: {} };

type JsonObject = Readonly<Record<string, unknown>>;

/** The description of the whole API, OpenAPI 3.1, out of the registry. Schemas with an id become named components. */
export const openapi = (groups: readonly DeclaredGroup[], facts: DocumentFacts): JsonObject => {
  const { fields = NO_FIELDS } = facts;
  const book = schemaBook();
  const paths: Record<string, Record<string, unknown>> = {};
  const used = new Set<string>();
  const shown = groups.flatMap(({ routes }) => routes.filter((route) => isOffered(route) && !isAlias(route)));
  const operationId = operationIds(shown);
  for (const group of groups) {
    for (const route of group.routes.filter((each) => shown.includes(each))) {
      add(paths, route.path, route.method.toLowerCase(), operation(route, operationId(route), book, fields));
      for (const tag of route.tags) used.add(tag);
    }
    for (const { path, method, operation: told } of group.operations) {
      const servers = group.gateway === "ingest" && { servers: [{ url: facts.ingestUrl }] };
      add(paths, path, method, { ...told, ...servers, security: [] });
      for (const tag of Array.isArray(told.tags) ? told.tags : []) used.add(String(tag));
    }
  }
  const told = JSON.stringify(paths);
  const isUsed = (name: string): boolean => told.includes(`"#/components/responses/${name}"`) || told.includes(`"${name}":[`);
  return {
    openapi: "3.1.0",
    info: { title: facts.title, version: "1.0.0", description: facts.description, license: { name: "MIT", identifier: "MIT" } },
    servers: [{ url: facts.baseUrl }],
    tags: tagList(used, facts.tags),
    paths,
    components: {
      schemas: components(book, fields),
      responses: picked(SHARED_RESPONSES, isUsed),
      securitySchemes: picked(SECURITY_SCHEMES, isUsed),
    },
  };
};

/** All named schemas, in order of their names, with what their fields mean. */
const components = (book: SchemaBook, fields: FieldBook): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    [...book.named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, withTexts(schema, schemaTexts(fields, name))]),
  );

/** The texts of a named schema. What is written differently from how it is read, and the pages of a list, have no texts of their own. */
const schemaTexts = ({ schemas }: FieldBook, name: string): FieldTexts =>
  schemas[name] ?? schemas[name.replace(/Request$/, "")] ?? (/^Paginated.+List$/.test(name) ? schemas[PAGE] : undefined) ?? {};

/** The name under which the fields of every page are described. */
const PAGE = "PaginatedList";

const SECURITY_SCHEMES: JsonObject = {
  personalApiKey: {
    type: "http",
    scheme: "bearer",
    description: "A personal API key (phx_…). Also taken as the body field or query parameter personal_api_key.",
  },
  projectSecretKey: { type: "http", scheme: "bearer", description: "A secret key of the project that is asked for (phs_…)." },
};

/** The tags that operations have: those that are told in their order, then all others. */
const tagList = (used: ReadonlySet<string>, told: DocumentFacts["tags"]): readonly JsonObject[] => [
  ...Object.entries(told).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
  ...[...used].filter((name) => !(name in told)).map((name) => ({ name, description: `Operations of ${name}.` })),
];

/** A document names nothing that it does not use. */
const picked = (all: JsonObject, keep: (name: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([name]) => keep(name)));

/** A method that is declared only to be refused is no operation that anyone should find. */
const isOffered = (route: DeclaredRoute): boolean => route.reply.status < 400;

/** Whatever is found below `environments` is found below `projects`, too, under the same ids: a client needs it once. */
export const isAlias = ({ path }: Pick<DeclaredRoute, "path">): boolean => path.startsWith("/api/environments/");

/** Paths stand without the final slash, which linters refuse and requests may write or leave out. */
const add = (paths: Record<string, Record<string, unknown>>, path: string, method: string, told: JsonObject): void => {
  const name = path.length > 1 ? path.replace(/\/$/, "") : path;
  paths[name] = { ...paths[name], [method]: told };
};

const operation = (route: DeclaredRoute, operationId: string, book: SchemaBook, fields: FieldBook): JsonObject => {
  const texts = fields.schemas[operationId] ?? {};
  return {
    operationId,
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    tags: route.tags,
    security: security(route),
    parameters: parameters(route, book, fields),
    ...((route.body ?? route.rawBody) && { requestBody: requestBody(route, book, texts) }),
    responses: { ...success(route, book, texts), ...errorResponses(route, book) },
  };
};

const security = ({ access }: DeclaredRoute): readonly JsonObject[] => {
  if (access.level === "anyone") return [];
  if (access.level === "account") return [{ projectSecretKey: access.scopes }];
  return [{ personalApiKey: access.scopes }, ...(access.secretKeys ? [{ projectSecretKey: access.scopes }] : [])];
};

const INTEGER_HOLES: ReadonlySet<string> = new Set(["project_id"]);

const parameters = (route: DeclaredRoute, book: SchemaBook, { pathParameters }: FieldBook): readonly JsonObject[] => {
  const inPath = holes(route.path).map((name) => {
    const description = pathParameters[holePlace(name, route.path)];
    return {
      name,
      in: "path",
      required: true,
      ...(description !== undefined && { description }),
      schema: { type: INTEGER_HOLES.has(name) ? "integer" : "string" },
    };
  });
  const query = route.query && book.inline(route.query, "input");
  const required = new Set(query?.required ?? []);
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.has(name),
    ...(typeof description === "string" && { description }),
    schema,
  }));
  return [...inPath, ...inQuery];
};

/** A hole with the piece of the path before it: `projects/{project_id}`. */
const holePlace = (name: string, path: string): string => {
  const pieces = path.split("/");
  const hole = `{${name}}`;
  return `${pieces[pieces.indexOf(hole) - 1]}/${hole}`;
};

const requestBody = (route: DeclaredRoute, book: SchemaBook, texts: FieldTexts): JsonObject => {
  const sent = route.described?.body ?? route.rawBody?.shown ?? route.body;
  const schema: JsonSchema = sent ? withTexts(book.refer(sent, "input"), texts) : {};
  const isNeeded = sent !== undefined && (book.inline(sent, "input").required ?? []).length > 0;
  const example = route.examples?.body;
  const [json, ...others] = REQUEST_MEDIA_TYPES;
  const forms = route.rawBody === undefined ? others : [];
  return {
    ...(isNeeded && { required: true }),
    content: {
      [json]: { schema, ...(example !== undefined && { example }) },
      ...Object.fromEntries(forms.map((mediaType) => [mediaType, { schema }])),
    },
  };
};

const success = ({ reply, examples, described }: DeclaredRoute, book: SchemaBook, texts: FieldTexts): JsonObject => {
  switch (reply.kind) {
    case "empty":
      return { [reply.status]: { description: "Done; the body is empty." } };
    case "text":
      return { [reply.status]: { description: "The text.", content: { [reply.mediaType]: { schema: textSchema(reply.mediaType) } } } };
    case "html":
      return { [reply.status]: { description: "The page.", content: { "text/html": { schema: { type: "string" } } } } };
    case "file":
      return {
        [reply.status]: {
          description: reply.isLarge ? "The file, or its address where that was asked for." : "The file.",
          content: { [reply.mediaType]: { schema: { type: "string" } }, ...(reply.isLarge && { "application/json": FILE_ADDRESS }) },
        },
        ...(reply.isLarge && FILE_ELSEWHERE),
      };
    case "json": {
      const example = examples?.reply;
      const schema = withTexts(book.refer(described?.reply ?? reply.schema, "output"), texts);
      const content = { schema, ...(example !== undefined && { example }) };
      const headers = reply.headers && { headers: headerNotes(reply.headers) };
      const { other } = reply;
      return {
        [reply.status]: { description: "Success.", ...headers, content: { "application/json": content } },
        ...(other && { [other.status]: { description: other.description, content: { "application/json": content } } }),
      };
    }
  }
};

const FILE_ELSEWHERE = {
  302: { description: "The file is too large to be sent from here; `Location` is where it can be fetched for an hour." },
};

const FILE_ADDRESS = {
  schema: {
    type: "object",
    required: ["url"],
    properties: { url: { type: "string", format: "uri", description: "Where the file can be fetched for an hour." } },
  },
  example: fileAddress("https://files.example.org/exports/0190d0aa"),
};

/** Text that is JSON is the object that it holds. */
const textSchema = (mediaType: string): JsonObject => ({ type: mediaType === "application/json" ? "object" : "string" });

const headerNotes = (headers: ReplyHeaders): JsonObject =>
  Object.fromEntries(Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: "string" } }]));
