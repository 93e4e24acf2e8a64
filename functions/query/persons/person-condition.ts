import * as z from "zod";
import type { Expr } from "../../../lib/hogql/ast.ts";
import { call, compare, constant, every, field, from, select, some } from "../../../lib/hogql/build.ts";
import { QueryError } from "../../../lib/hogql/errors.ts";
import { invalid } from "../../../lib/http/errors.ts";
import { PropertyFilter, personFilters } from "../../../lib/insight/person-filters.ts";
import { isAmong } from "./person-rows.ts";
import type { PersonsQuery } from "./wire.ts";

interface Moment {
  readonly now: number;
  readonly timezone: string;
}

/** What holds for all persons that a list asks for; what the caller sent stands in it as constants. Throws 400. */
export const personCondition = ({ distinct_id, email, search, properties }: PersonsQuery, moment: Moment): Expr =>
  every([
    ...(distinct_id === undefined ? [] : [hasDistinctId(distinct_id)]),
    ...(email === undefined ? [] : [hasEmail(email)]),
    ...(search === undefined ? [] : [some([...hasId(search), hasDistinctId(search), hasEmail(search)])]),
    ...(properties === undefined ? [] : [filtersOf(properties, moment)]),
  ]);

const hasEmail = (email: string): Expr => compare("==", call("toString", field("properties", "email")), constant(email));

const hasId = (id: string): readonly Expr[] => (z.guid().safeParse(id).success ? [isAmong("id", [id])] : []);

const hasDistinctId = (distinctId: string): Expr =>
  compare(
    "in",
    field("id"),
    select([field("person_id")], { from: from("person_distinct_ids"), where: compare("==", field("distinct_id"), constant(distinctId)) }),
  );

/** Filters of one call; each is a condition on a text of JSON. */
const MOST_FILTERS = 20;

const filtersOf = (text: string, moment: Moment): Expr => {
  const read = z.array(PropertyFilter).max(MOST_FILTERS).safeParse(parsed(text));
  if (!read.success) throw refused(z.prettifyError(read.error).split("\n").slice(0, 2).join(" ").replace(/^\W+/, "").replace(/\.?$/, "."));
  try {
    return personFilters(read.data, moment);
  } catch (thrown) {
    throw thrown instanceof QueryError ? refused(thrown.message) : thrown;
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw refused("It is no JSON.");
  }
};

const refused = (why: string) =>
  invalid(
    "properties",
    `${why} Send a JSON list of at most ${MOST_FILTERS} filters, such as [{"key": "plan", "value": "free", "type": "person"}].`,
  );
