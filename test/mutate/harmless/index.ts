import { CATALOGUE } from "./catalogue.ts";
import { COMPACTION } from "./compaction.ts";
import { ENGINE } from "./engine.ts";
import { EVENT } from "./event.ts";
import { FUNCTIONS } from "./functions.ts";
import type { Harmless } from "./harmless.ts";
import { INTAKE } from "./intake.ts";
import { PARQUET } from "./parquet.ts";
import { PERSONS } from "./persons.ts";
import { PROPERTY_TYPES } from "./property-types.ts";
import { USAGE } from "./usage.ts";

export const HARMLESS: readonly Harmless[] = [
  ...CATALOGUE,
  ...COMPACTION,
  ...ENGINE,
  ...EVENT,
  ...FUNCTIONS,
  ...INTAKE,
  ...PARQUET,
  ...PERSONS,
  ...PROPERTY_TYPES,
  ...USAGE,
];
