import * as z from "zod";

const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.object({ schema: Schema.optional(), example: z.unknown().optional() }));
const Answer = z.object({ $ref: z.string().optional(), content: Content.optional() });
const Operation = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  servers: z.array(z.object({ url: z.string() })).optional(),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(["path", "query"]), schema: Schema })).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), Answer),
});
const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({ schemas: z.record(z.string(), Schema), responses: z.record(z.string(), Answer) }),
});

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What the description says of one status: the schema of each media type; none where the body is empty. */
export type DescribedAnswer = ReadonlyMap<string, z.ZodType>;

/** An operation as its description tells it, and nothing else that anybody knows. */
export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  /** With holes, without a final slash. */
  readonly path: string;
  readonly isCapture: boolean;
  readonly parameters: readonly { readonly name: string; readonly in: "path" | "query"; readonly schema: JsonSchema }[];
  readonly body: { readonly schema: JsonSchema; readonly example: unknown } | undefined;
  /** Which kind of key opens it; undefined where none is needed. */
  readonly key: "personal" | "secret" | undefined;
  answer(status: number): DescribedAnswer | undefined;
}

export interface Description {
  readonly operations: readonly DescribedOperation[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** The schema of an error that no operation says otherwise of. */
  readonly error: z.ZodType;
}

/** Reads what `/api/schema/` answers. */
export const readDescription = (text: string): Description => {
  // What is referred to stands where a schema on its own would have it.
  const document = Document.parse(JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/")));
  const { schemas, responses } = document.components;
  const read = (schema: JsonSchema): z.ZodType => z.fromJSONSchema({ ...schema, $defs: schemas });
  const compiled = (answer: z.output<typeof Answer>): DescribedAnswer => {
    const { content = {} } = answer.$ref === undefined ? answer : (responses[answer.$ref.split("/").at(-1) ?? ""] ?? answer);
    return new Map(Object.entries(content).map(([mediaType, { schema }]) => [mediaType, read(schema ?? {})]));
  };
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]): DescribedOperation => {
      const met = new Map<number, DescribedAnswer>();
      const json = told.requestBody?.content["application/json"];
      return {
        id: told.operationId,
        method: method.toUpperCase(),
        path,
        isCapture: told.servers !== undefined,
        parameters: told.parameters,
        body: json && { schema: json.schema ?? {}, example: json.example },
        key: keyOf(told.security),
        answer(status) {
          const answer = told.responses[String(status)];
          const known = met.get(status) ?? (answer && compiled(answer));
          if (known) met.set(status, known);
          return known;
        },
      };
    }),
  );
  return { operations, schemas, error: read({ $ref: "#/$defs/Error" }) };
};

const keyOf = (security: readonly Readonly<Record<string, unknown>>[]): DescribedOperation["key"] => {
  if (security.length === 0) return undefined;
  return security.some((way) => "personalApiKey" in way) ? "personal" : "secret";
};
