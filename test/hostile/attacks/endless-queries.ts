import { sqlQuery } from "../../support/samples/saved-query.ts";
import { type Attack, type Attacker, JSON_TYPE } from "../attack.ts";

/** Works for as long as it may. */
const ENDLESS = sqlQuery("SELECT sum(a.number * b.number % 7) AS x FROM numbers(1000000) AS a CROSS JOIN numbers(1000000) AS b");
const TABLES = 8;
const AT_ONCE = 12;

/** Queries without an end, wherever one can be asked. */
export const endlessQueries = ({ round, at, sent }: Attacker): readonly Attack[] => {
  const base = at("endpoints/");
  const names = Array.from({ length: TABLES }, (_, number) => `endless-${round}-${number}`);
  return [
    {
      name: "tables: queries without an end",
      shots: [
        ...names.map((name) => sent(base, JSON.stringify({ name, query: ENDLESS, is_materialized: true }))),
        ...names.map((name) => sent(`${base}${name}/materialization_status/`, "", JSON_TYPE, "GET")),
      ],
    },
    { name: "tables: which are deleted while they are made", shots: names.map((name) => sent(`${base}${name}/`, "", JSON_TYPE, "DELETE")) },
    {
      name: "queries: many without an end at once",
      shots: [{ ...sent(at("query/"), JSON.stringify({ query: ENDLESS })), copies: AT_ONCE }],
      isLong: true,
    },
  ];
};
