import { exactJson, isLongWholeNumber } from "../../core/exact-json.ts";
import type { LoweringContext } from "../analysis/context.ts";
import { derive, type Expression } from "../analysis/expression.ts";
import { type Sql, sql } from "../sql/fragment.ts";
import { STRING } from "../types.ts";

const EQUALITIES: ReadonlySet<string> = new Set(["==", "!=", "IN", "IS DISTINCT FROM"]);

/**
 * A numeric property beside a constant whole number that a double may round, both as the texts that are stored, so that no digit is
 * lost; undefined for all else.
 */
export const exactTexts = (
  context: LoweringContext,
  left: Expression,
  right: Expression,
  op: string,
): readonly [Expression, Expression] | undefined => {
  if (!EQUALITIES.has(op)) return undefined;
  const [onLeft, onRight] = [longDigits(left), longDigits(right)];
  if (left.written !== undefined && onRight !== undefined) return [text(left, left.written), context.known(onRight, STRING)];
  if (right.written !== undefined && onLeft !== undefined) return [context.known(onLeft, STRING), text(right, right.written)];
  return undefined;
};

const text = (value: Expression, written: Sql): Expression => derive(written, STRING, [value]);

/** The digits of a constant whole number beyond 2^53, as the number is stored; undefined for all else. */
export const longDigits = ({ known, digits = String(known) }: Expression): string | undefined =>
  isLongWholeNumber(digits) ? JSON.stringify(exactJson(digits)).replace("e+", "e") : undefined;

/** Whether a text is a whole number of so many digits that a double may round it. */
export const isLong = (written: Sql): Sql => sql`(length(${written}) > 15 AND regexp_full_match(${written}, '-?[1-9][0-9]{15,}'))`;
