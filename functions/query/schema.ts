import { VOCABULARY } from "../../lib/hogql/vocabulary.ts";
import type { QuerySchema } from "./wire.ts";

/** The tables and functions of the language, as the API lists them. */
export const querySchema = (): QuerySchema => ({
  tables: VOCABULARY.tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
  functions: VOCABULARY.functions.map(({ name, family }) => ({ name, family })),
});
