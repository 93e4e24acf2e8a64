import * as z from "zod";

/**
 * A form's fields as the input of a body's schema: where the schema wants a list all values of a name, else the last one; and
 * a checkbox that is not ticked is not sent, so an absent boolean is false.
 */
export const formInput = (schema: z.ZodType, values: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, unknown>> => {
  const { shape, takesOthers } = objectOf(schema);
  const input: Record<string, unknown> = {};
  // What nobody asks for is not carried over: there may be hundreds of thousands.
  for (const name of takesOthers ? values.keys() : Object.keys(shape)) {
    const all = values.get(name);
    if (all !== undefined && name !== "personal_api_key") input[name] = isKind(shape[name], z.ZodArray) ? all : all.at(-1);
  }
  for (const [name, field] of Object.entries(shape)) {
    if (!(name in input) && isBoolean(field)) input[name] = false;
  }
  return input;
};

/** The fields that a schema names, and whether it takes or refuses others, which it has to see then. */
const objectOf = (schema: z.ZodType): { readonly shape: Readonly<Record<string, z.core.$ZodType>>; readonly takesOthers: boolean } => {
  const inner = unwrapped(schema);
  return inner instanceof z.ZodObject
    ? { shape: inner.shape, takesOthers: inner.def.catchall !== undefined }
    : { shape: {}, takesOthers: true };
};

const isKind = (field: z.core.$ZodType | undefined, kind: typeof z.ZodArray): boolean =>
  field !== undefined && unwrapped(field) instanceof kind;

const isBoolean = (field: z.core.$ZodType): boolean => unwrapped(field) instanceof z.ZodBoolean;

/** What a schema is about, without what makes it optional or converts its input. */
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
