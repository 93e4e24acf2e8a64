import type * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { upstreamAnswer } from "../upstream/answer.ts";
import { isUpstream } from "../upstream/call-billing-service.ts";
import { bucketsOf } from "./figures/buckets.ts";
import { figuresOf } from "./figures/figures.ts";
import { labelOf, namesOf } from "./figures/labels.ts";
import { linesOf, withAggregate } from "./figures/lines.ts";
import { type Measure, pointsOf } from "./figures/points.ts";
import { inTime } from "./in-time.ts";
import { checkPaging, continued, pageOf } from "./page.ts";
import { type SeriesQuery, seriesRequest } from "./query.ts";
import { scopeOf } from "./scope.ts";
import { breakdownOf, type TimeSeriesResponse } from "./wire.ts";

/** The time series of a question. Throws 400 and 403. */
export const answer = async (
  measure: Measure,
  world: World,
  grant: BillingGrant,
  query: SeriesQuery,
): Promise<z.input<typeof TimeSeriesResponse>> => {
  const asked = seriesRequest(query, world.clock.now());
  checkPaging(query, asked);
  if (isUpstream(world)) return upstreamAnswer(measure, world, grant, asked, query);
  const request = continued(query, asked);
  const scope = await scopeOf(world.table, grant, request.projects, "look");
  const { customer, amounts, projects, products } = await inTime(world, figuresOf(measure, world, grant, request, scope));
  const buckets = bucketsOf(request.interval, request.from, request.to);
  const all = withAggregate(linesOf(amounts, request), request, () => projects().length > 0);
  const { lines, paging } = pageOf(all, query, request, buckets);
  const names = await namesOf(world.table, lines);
  return {
    status: "ok",
    type: "timeseries",
    customer_id: customer,
    results: lines.map((line, at) => ({
      id: at + 1,
      label: labelOf(line, measure, names, products),
      data: [...pointsOf(line, request, buckets, measure)],
      dates: [...buckets.dates],
      ...breakdownOf(line),
    })),
    ...(paging === null ? { team_id_options: [...projects()] } : paging),
  };
};
