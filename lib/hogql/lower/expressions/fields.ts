import { didYouMean } from "../../../core/suggest.ts";
import { known } from "../../analysis/constants.ts";
import { derive, type Expression } from "../../analysis/expression.ts";
import { AT, type Field } from "../../ast.ts";
import { type Position, QueryError } from "../../errors.ts";
import { jsonPath } from "../../json-path.ts";
import { element, tupleElement } from "../../operators/collections.ts";
import type { Member, Relation } from "../../schema/relation.ts";
import { emptyAsNull } from "../../sql/form.ts";
import { parameter, sql } from "../../sql/fragment.ts";
import { JSON_TEXT, STRING } from "../../types.ts";

/** Follows the rest of a chain from a member: joins, properties, elements. */
export const follow = (
  member: Member,
  rest: readonly (string | number)[],
  chain: readonly (string | number)[],
  at?: Position,
): Expression => {
  switch (member.kind) {
    case "properties":
      return rest.length === 0 ? member.whole() : member.property(rest);
    case "value":
      return rest.reduce<Expression>((value, part) => elementAt(value, part, chain, at), member.expression);
    case "relation":
      return inRelation(member.relation, rest, chain, at);
  }
};

const inRelation = (
  relation: Relation,
  rest: readonly (string | number)[],
  chain: readonly (string | number)[],
  at?: Position,
): Expression => {
  const [name, ...further] = rest;
  if (name === undefined) {
    throw new QueryError(
      "unknown_field",
      `\`${chain.join(".")}\` is a table: name one of its fields, such as \`${chain.join(".")}.${relation.star[0] ?? "id"}\`.`,
      at,
    );
  }
  const member = relation.member(String(name));
  if (member === undefined) throw unknownField(chain, String(name), relation.names(), at);
  return follow(member, further, chain, at);
};

const elementAt = (value: Expression, part: string | number, chain: readonly (string | number)[], at?: Position): Expression => {
  if (typeof part === "number") return tupleElement(value, part);
  if (value.type.kind === "json" || value.type.kind === "unknown") {
    const text = sql`json_extract_string(${value.tree}, ${parameter(jsonPath([part]))}::VARCHAR)`;
    return derive(emptyAsNull(text), JSON_TEXT, [value], true);
  }
  if (value.type.kind === "map") return element(value, known(part, STRING));
  throw unknownField(chain, part, [], at);
};

export const unknownField = (chain: readonly (string | number)[], name: string, known: Iterable<string>, at?: Position): QueryError =>
  new QueryError("unknown_field", `Unknown field \`${chain.join(".")}\`.${didYouMean(name, known)}`, at);

/** The relation's member that a field names, with or without the relation's name in front. */
export const fieldIn = (relations: readonly Relation[], field: Field): Expression | undefined => {
  const [name, ...rest] = field.chain.map((part) => part);
  const first = String(name);
  const named = rest.length > 0 ? relations.find((relation) => relation.name === first) : undefined;
  if (named !== undefined) return inRelation(named, rest, field.chain, field[AT]);
  for (const relation of relations) {
    const member = relation.member(first);
    if (member !== undefined) return follow(member, rest, field.chain, field[AT]);
  }
  return undefined;
};

/** A member as a value. */
export const memberValue = (member: Member): Expression => follow(member, [], []);
