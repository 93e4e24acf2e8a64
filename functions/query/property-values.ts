import type { World } from "../../lib/app/world.ts";
import { DAY_MS } from "../../lib/core/time.ts";
import type { RunProject } from "../../lib/endpoints/run-request.ts";
import { runTrees } from "../../lib/endpoints/tree-runs.ts";
import type { Expr } from "../../lib/hogql/ast.ts";
import { call, compare, constant, every, field, from, moment, select } from "../../lib/hogql/build.ts";
import { invalid } from "../../lib/http/errors.ts";
import type { OWNER_KINDS, PropertyValues } from "./definitions-wire.ts";

interface ValuesRequest {
  readonly key: string;
  readonly type: (typeof OWNER_KINDS)[number];
  readonly group_type_index?: number | undefined;
  readonly event?: string | undefined;
  readonly value?: string | undefined;
}

const MOST_VALUES = 50;

/** In characters. A longer value is none that anybody picks from a list. */
const LONGEST_VALUE = 400;

const TABLES = { event: "events", person: "persons", group: "groups" } as const;

/** The most frequent values of a property, those that most have first. Throws 400, and 429 where no slot comes free. */
export const propertyValues = async (world: World, project: RunProject, request: ValuesRequest): Promise<PropertyValues> => {
  const property = field("properties", request.key);
  const text = call("toString", property);
  const tree = select([text, call("count")], {
    from: from(TABLES[request.type]),
    where: every([
      ...rowConditions(request, world.clock.now()),
      compare("!=", property, constant(null)),
      compare("<=", call("lengthUTF8", text), constant(LONGEST_VALUE)),
      ...(request.value === undefined ? [] : [compare(">", call("positionCaseInsensitive", text, constant(request.value)), constant(0))]),
    ]),
    groupBy: [text],
    orderBy: [
      { expr: call("count"), descending: true, nulls: "last" },
      { expr: text, descending: false, nulls: "last" },
    ],
    limit: constant(MOST_VALUES),
  });
  const rows = await runTrees(world, project, (run) => run.rows(tree), { namedBy: "the values of a property" });
  return { results: rows.map(([name, count]) => ({ name: String(name), count: Number(count) })), refreshing: false };
};

/** The events of the last 30 days, or all persons, or the groups of one type or of all. Throws 400 for a name that only events have. */
const rowConditions = ({ type, event, group_type_index }: ValuesRequest, now: number): readonly Expr[] => {
  if (type !== "event" && event !== undefined) throw invalid("event", "Only properties of events are asked for by event. Leave it out.");
  if (type === "group") return group_type_index === undefined ? [] : [compare("==", field("index"), constant(group_type_index))];
  if (type === "person") return [];
  const recent = compare(">=", field("timestamp"), moment(BigInt(now - 30 * DAY_MS) * 1_000n));
  return event === undefined ? [recent] : [recent, compare("==", field("event"), constant(event))];
};
