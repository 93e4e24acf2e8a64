import type { World } from "../../../../lib/app/world.ts";
import type { BillingGrant } from "../../../../lib/auth/billing-access.ts";
import { isoDay } from "../../../../lib/core/time.ts";
import type { SentFile } from "../../../../lib/http/reply.ts";
import type { HttpRequest } from "../../../../lib/http/request.ts";
import { upstreamRows } from "../../upstream/answer.ts";
import { isUpstream } from "../../upstream/call-billing-service.ts";
import { bucketsOf } from "../figures/buckets.ts";
import { figuresOf } from "../figures/figures.ts";
import { namesOf } from "../figures/labels.ts";
import { rankedLines, withAggregate } from "../figures/lines.ts";
import type { Measure } from "../figures/points.ts";
import { inTime } from "../in-time.ts";
import { type SeriesQuery, type SeriesRequest, seriesRequest } from "../query.ts";
import { type Scope, scopeOf } from "../scope.ts";
import { csvOf, rowsOf } from "./csv.ts";
import { deliver } from "./deliver.ts";
import { inPlace } from "./places.ts";

/** All series of a question as one CSV file. Throws 400, 403 and 429. */
export const exported = (measure: Measure, world: World, grant: BillingGrant, query: SeriesQuery, asked: HttpRequest): Promise<SentFile> =>
  inPlace(world, grant.caller.user.id, () => made(measure, world, grant, query, asked));

const made = async (measure: Measure, world: World, grant: BillingGrant, query: SeriesQuery, asked: HttpRequest): Promise<SentFile> => {
  const request = seriesRequest(query, world.clock.now());
  const scope = await scopeOf(world.table, grant, request.projects, "export");
  const { dates, rows } = await (isUpstream(world) ? upstreamRows : ownRows)(measure, world, grant, request, scope);
  return deliver(world, asked, grant.organization.id, nameOf(measure, query, request), csvOf(rows, dates, measure));
};

/** With the days that were asked for, where any were. */
const nameOf = (measure: Measure, { start_date, end_date }: SeriesQuery, { from, to }: SeriesRequest): string =>
  start_date === undefined && end_date === undefined ? `${measure}.csv` : `${measure}_${isoDay(from)}_${isoDay(to)}.csv`;

const ownRows = async (measure: Measure, world: World, grant: BillingGrant, request: SeriesRequest, scope: Scope) => {
  const { amounts, projects, products } = await inTime(world, figuresOf(measure, world, grant, request, scope));
  const lines = withAggregate(rankedLines(amounts, request), request, () => projects().length > 0);
  const names = await namesOf(world.table, lines);
  const buckets = bucketsOf(request.interval, request.from, request.to);
  return { dates: buckets.dates, rows: rowsOf(lines, { request, buckets, measure, names, products }) };
};
