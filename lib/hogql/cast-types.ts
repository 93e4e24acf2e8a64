import { typeAfterCast } from "./functions/casts/cast.ts";
import { findType } from "./functions/casts/type-names.ts";
import type { Type } from "./types.ts";

/** The type that values have after a cast to the type of that name, whatever the case of its letters; undefined where there is none. */
export const castType = (name: string): Type | undefined => {
  const wanted = findType(name);
  return wanted && typeAfterCast(wanted);
};
