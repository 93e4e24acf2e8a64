import type * as z from "zod";
import { ProviderFailure } from "./call.ts";

/** A provider's answer as its documentation has it. Throws `ProviderFailure`. */
export const parsedAnswer = <S extends z.ZodType>(schema: S, answer: unknown): z.output<S> => {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new ProviderFailure("the provider's answer is not what it documents");
  return parsed.data;
};
