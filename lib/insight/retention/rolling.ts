import { HOUR_US } from "../../core/time.ts";
import type { Ast, Select } from "../../hogql/ast.ts";
import { alias, arithmetic, call, compare, constant, countDistinct, every, field, from, moment, select, some } from "../../hogql/build.ts";
import { timeIf } from "./periods.ts";
import {
  ACTOR,
  ACTORS,
  AFTER,
  actorKeys,
  COHORT,
  COLUMN,
  columnExpr,
  dense,
  eitherRole,
  eventsIn,
  FIRST,
  FIRST_START,
  isFirstEver,
  keyColumns,
  periodExpr,
  type Source,
  VALUE,
  valueNames,
} from "./scan.ts";
import { lookahead, type Period, periodStart } from "./settings.ts";

/** How long a period is once it starts at any moment; a month has 30 days. */
const LENGTH_US: Readonly<Record<Period, bigint>> = { hour: HOUR_US, day: 24n * HOUR_US, week: 168n * HOUR_US, month: 720n * HOUR_US };

const START = "start_time";
const TIME = "event_time";
const IS_RETURN = "is_return";

/** Actors by cohort and column, where periods are counted from the moment of each actor's first start. */
export const rollingCells = (source: Source): Ast => {
  const { columns, minimum } = source.settings;
  const counted = eachOffset(source);
  const keys = [...actorKeys(source), COHORT, AFTER];
  const kept = select(
    keys.map((name) => field(name)),
    {
      from: from(counted),
      groupBy: keys.map((name) => field(name)),
      having: some([compare("==", field(AFTER), constant(0)), compare(">=", call("count"), constant(minimum))]),
    },
  );
  const by = [...valueNames(source), COHORT, COLUMN].map((name) => field(name));
  const placed = dense(columns) ? field(AFTER) : columnExpr(columns, field(AFTER));
  const actors = dense(columns) ? call("count") : countDistinct(...actorKeys(source).map((name) => field(name)));
  return select([...[...valueNames(source), COHORT].map((name) => field(name)), alias(COLUMN, placed), alias(ACTORS, actors)], {
    from: from(kept),
    groupBy: by,
  });
};

/** A row for each start and each return of an actor, with its cohort and the whole periods since its start. */
const eachOffset = (source: Source): Select => {
  const { settings, roles } = source;
  const { timeline, period, columns } = settings;
  const length = LENGTH_US[period];
  const span = { from: timeline.origin, to: endOfCohorts(source) + BigInt(lookahead(columns) + 1) * length };
  const keys = isFirstEver(source) ? [ACTOR] : actorKeys(source);
  const events = eventsIn(
    source,
    { span, names: [roles.startName, roles.returningName], where: eitherRole(source) },
    [
      ...keyColumns(source).filter(({ name }) => keys.includes(name)),
      alias(TIME, call("toUnixTimestamp64Micro", field("timestamp"))),
      alias(IS_RETURN, roles.returning),
    ],
    [],
  );
  const [time, start] = [field("event", TIME), field("actor", START)];
  const passed = arithmetic("-", time, start);
  const taken = [...actorKeys(source), COHORT].map((name) => alias(name, field("actor", name)));
  const rows = select([...taken, alias(AFTER, call("intDiv", passed, constant(Number(length))))], {
    from: from(events, "event"),
    joins: [
      {
        ...from(actorStarts(source), "actor"),
        join: "INNER JOIN",
        on: every(keys.map((name) => compare("==", field("event", name), field("actor", name)))),
        using: null,
      },
    ],
    where: some([every([field("event", IS_RETURN), compare(">=", time, start)]), compare("==", time, start)]),
  });
  return select(
    [...actorKeys(source), COHORT, AFTER].map((name) => field(name)),
    { from: from(rows), where: compare("<=", field(AFTER), constant(lookahead(columns))) },
  );
};

const endOfCohorts = ({ settings: { timeline, period }, context }: Source): bigint =>
  periodStart(timeline, timeline.cohorts, period, context);

/** Each actor's own start: its first in the range, or its first of all when that is what the retention asks for. */
const actorStarts = (source: Source): Select => {
  const { settings, context, roles, value } = source;
  const { timeline, period, type } = settings;
  const ever = isFirstEver(source);
  const time = field("timestamp");
  const span = { from: type === "retention_recurring" ? timeline.origin : null, to: endOfCohorts(source) };
  const matching = call("min", timeIf(roles.start));
  const found = eventsIn(
    source,
    { span, names: [roles.startName], where: [ever ? roles.anyStart : roles.start] },
    [
      ...keyColumns(source).map((column) =>
        ever && column.name === VALUE && value !== null ? alias(VALUE, call("argMin", value, time)) : column,
      ),
      alias(FIRST, call("min", time)),
      ...(ever ? [alias(FIRST_START, matching)] : []),
    ],
    ever ? [ACTOR] : actorKeys(source),
  );
  const inRange = [
    compare(">=", field(FIRST), moment(timeline.origin)),
    ...(ever ? [compare("==", field(FIRST), field(FIRST_START))] : []),
    ...source.firstConditions,
  ];
  return select(
    [
      ...actorKeys(source).map((name) => field(name)),
      alias(COHORT, periodExpr(timeline, period, context, field(FIRST))),
      alias(START, call("toUnixTimestamp64Micro", field(FIRST))),
    ],
    { from: from(found), where: every(inRange) },
  );
};
