import type { Expression } from "../../analysis/expression.ts";
import { QueryError } from "../../errors.ts";
import { isNumeric, isOpen, type Type, typeName, UNKNOWN } from "../../types.ts";

/** The type of an array's elements; unknown for what is no array. */
export const elementType = (value: Expression | undefined): Type => (value?.type.kind === "array" ? value.type.of : UNKNOWN);

/** An array whose elements can be reckoned with. Throws `QueryError` with the function's name. */
export const ofNumbers = (value: Expression, name: string): Expression => {
  const type = elementType(value);
  if (isNumeric(type) || isOpen(type)) return value;
  throw new QueryError("illegal_type_of_argument", `\`${name}\` needs an array of numbers, not ${typeName(value.type)}.`);
};
