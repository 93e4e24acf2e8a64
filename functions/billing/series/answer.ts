import type * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { isUpstream } from "../../../lib/billing/billing-service.ts";
import { upstreamAnswer, upstreamProjects } from "../upstream/answer.ts";
import { type Figures, readSpent, readUsed, usingProjects } from "./figures.ts";
import { type Buckets, bucketsBetween, unrankedLines, withAggregate } from "./lines.ts";
import {
  type Continuation,
  checkPaging,
  findContinuation,
  firstPage,
  furtherPage,
  type Page,
  pageSize,
  type Question,
  wholeAnswer,
} from "./page.ts";
import { type Measure, type SeriesQuery, type SeriesRequest, seriesRequest } from "./query.ts";
import { findScope } from "./scope.ts";
import { breakdown, label, projectNames, type TimeSeriesResponse } from "./wire.ts";

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
  const scope = await findScope(world.table, grant, asked.projects, "look");
  const question = { measure, query, grant };
  const at = await findContinuation(world, question, scope);
  const request = at === undefined ? asked : { ...asked, from: at.from, to: at.to };
  return measure === "usage"
    ? timeSeries(world, question, request, at, await readUsed(world, grant.organization.id, request, scope))
    : timeSeries(world, question, request, at, await readSpent(world, grant.organization.id, request, scope));
};

const timeSeries = async <A>(
  world: Pick<World, "table" | "objects">,
  question: Question,
  request: SeriesRequest,
  at: Continuation | undefined,
  figures: Figures<A>,
): Promise<z.input<typeof TimeSeriesResponse>> => {
  const { unit, customer, projects, products } = figures;
  const buckets = bucketsBetween(request);
  const { series, paging } = await shownSeries(world, question, request, at, figures, buckets);
  const names = await projectNames(world.table, series);
  return {
    status: "ok",
    type: "timeseries",
    customer_id: customer,
    results: series.map((each, index) => ({
      id: index + 1,
      label: label(each, question.measure, names, products),
      data: [...unit.points(each.amounts, request, buckets)],
      dates: [...buckets.dates],
      ...breakdown(each),
    })),
    ...(paging === null ? { team_id_options: [...projects()] } : paging),
  };
};

const shownSeries = async <A>(
  world: Pick<World, "objects">,
  question: Question,
  request: SeriesRequest,
  at: Continuation | undefined,
  { unit, amounts, isUsed }: Figures<A>,
  buckets: Buckets,
): Promise<Page<A>> => {
  const { page_size } = question.query;
  if (page_size === undefined) return wholeAnswer(await withAggregate(unrankedLines(amounts, request, unit), request, isUsed), buckets);
  const size = pageSize(page_size, buckets);
  if (at !== undefined) return furtherPage(amounts, request, at, size);
  return firstPage(world, question, request, unrankedLines(amounts, request, unit), size);
};

/** The projects that a filter can offer: all that ever used something, of those that the caller may see. Throws 403. */
export const teamOptions = async (world: World, grant: BillingGrant): Promise<readonly number[]> => {
  const scope = await findScope(world.table, grant, null, "look");
  try {
    if (isUpstream(world)) return await upstreamProjects(world, grant, seriesRequest({}, world.clock.now()), scope);
    return await usingProjects(world, grant.organization.id, scope);
  } catch (thrown) {
    // A filter without choices is worth more than none.
    world.log.line("warn", "team_options_unread", { reason: thrown instanceof Error ? thrown.message : "unknown" });
    return [];
  }
};
