import type * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import type { BillingGrant } from "../../../lib/auth/billing-access.ts";
import { isUpstream } from "../../../lib/billing/billing-service.ts";
import type { Table } from "../../../lib/ports/table.ts";
import { USAGE_TYPES } from "../../../lib/usage/identifiers.ts";
import { readRollUps } from "../../../lib/usage/roll-ups.ts";
import { upstreamAnswer, upstreamProjects } from "../upstream/answer.ts";
import { type Figures, projectCounts, readSpent, readUsed } from "./figures.ts";
import { bucketsBetween, unrankedLines, withAggregate } from "./lines.ts";
import { checkPaging, cutPage, withFirstRange } from "./page.ts";
import { type Measure, type SeriesQuery, type SeriesRequest, seriesRequest } from "./query.ts";
import { findScope, type Scope } from "./scope.ts";
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
  const request = withFirstRange(query, asked);
  const scope = await findScope(world.table, grant, request.projects, "look");
  const question = { measure, query, request };
  return measure === "usage"
    ? timeSeries(world.table, question, await readUsed(world, grant.organization.id, request, scope))
    : timeSeries(world.table, question, await readSpent(world, grant.organization.id, request, scope));
};

interface Question {
  readonly measure: Measure;
  readonly query: SeriesQuery;
  readonly request: SeriesRequest;
}

const timeSeries = async <A>(
  table: Table,
  { measure, query, request }: Question,
  { unit, customer, amounts, projects, products }: Figures<A>,
): Promise<z.input<typeof TimeSeriesResponse>> => {
  const buckets = bucketsBetween(request);
  const all = withAggregate(unrankedLines(amounts, request, unit), request, () => projects().length > 0);
  const { lines, paging } = cutPage(all, query, request, buckets);
  const names = await projectNames(table, lines);
  return {
    status: "ok",
    type: "timeseries",
    customer_id: customer,
    results: lines.map((line, at) => ({
      id: at + 1,
      label: label(line, measure, names, products),
      data: [...unit.points(line.amounts, request, buckets)],
      dates: [...buckets.dates],
      ...breakdown(line),
    })),
    ...(paging === null ? { team_id_options: [...projects()] } : paging),
  };
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

const usingProjects = async (world: World, organization: string, scope: Scope): Promise<readonly number[]> => {
  const rollUps = await readRollUps(world, organization, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  const projects = projectCounts(rollUps, scope, new Set(USAGE_TYPES)).map(({ project }) => project);
  return [...new Set(projects)].sort((one, other) => one - other);
};
