import * as z from "zod";
import type { World } from "../../../lib/app/world.ts";
import { type ServiceAnswer, type ServiceQuestion, serviceError } from "../../../lib/billing/billing-service.ts";
import { findLicense } from "../../../lib/billing/license.ts";
import { isoDay } from "../../../lib/core/time.ts";
import { isFields } from "../../../lib/event/fields.ts";
import { type ApiError, bare, invalid, permissionDenied, standardError } from "../../../lib/http/errors.ts";
import { type Measure, SeriesQuery, type SeriesRequest, tooSlow } from "../series/query.ts";
import { isIn, type Scope } from "../series/scope.ts";
import { type Asker, callBillingService, PASSED } from "./relay.ts";

const UpstreamSeries = z.object({
  id: z.int().optional(),
  label: z.string(),
  data: z.array(z.number()),
  dates: z.array(z.string()),
  breakdown_type: z.enum(["type", "team", "multiple"]).nullish(),
  breakdown_value: z.union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))]).nullish(),
});
export type UpstreamSeries = z.output<typeof UpstreamSeries>;

const UpstreamAnswer = z.object({
  customer_id: z.union([z.string(), z.number()]).nullish(),
  results: z.array(UpstreamSeries),
  team_id_options: z.array(z.int()).nullish(),
  next: z.string().nullish(),
  total_count: z.int().nullish(),
});
export type UpstreamAnswer = z.output<typeof UpstreamAnswer>;

/** The page that is asked for. */
export interface Paging {
  readonly page_size?: number | undefined;
  readonly after?: string | undefined;
}

const NOTHING: UpstreamAnswer = { results: [], team_id_options: [] };

/** Series as the billing service counts them, of the projects in scope. Throws 400, 403 and 502. */
export const askSeries = async (
  measure: Measure,
  world: Pick<World, "table" | "clock" | "config">,
  asker: Asker,
  request: SeriesRequest,
  scope: Scope,
  paging: Paging = {},
): Promise<UpstreamAnswer> => {
  const license = await findLicense(world);
  if (license === undefined) return NOTHING;
  const parameters = seriesParameters(request, scope, paging);
  const path = `/api/v2/${measure}/`;
  const ask = (question: ServiceQuestion): Promise<ServiceAnswer> => callBillingService(world, license, asker, question, tooSlow);
  const short = await ask({ method: "GET", path, query: addressQuery(parameters) });
  const answer = TOO_LONG.has(short.status) ? await ask({ method: "POST", path, body: parameters }) : short;
  if (PASSED.has(answer.status)) throw bare(answer.status, answer.body);
  if (answer.status !== OK) throw ownRefusal(answer.body);
  const read = UpstreamAnswer.safeParse(answer.body);
  if (!read.success) throw serviceError(read.error);
  return { ...read.data, team_id_options: read.data.team_id_options?.filter((project) => isIn(scope, project)) };
};

const OK = 200;
/** An address, or the header that it stands in, is too long. */
const TOO_LONG: ReadonlySet<number> = new Set([414, 431]);

type Parameters = Readonly<Record<string, string | number | readonly (string | number)[] | undefined>>;

const seriesParameters = (request: SeriesRequest, scope: Scope, { page_size, after }: Paging): Parameters => ({
  start_date: isoDay(request.from),
  end_date: isoDay(request.to),
  interval: request.interval,
  usage_types: request.everyType ? undefined : [...request.types],
  team_ids: scope === "all" ? undefined : [...scope],
  breakdowns: [...(request.byType ? ["type"] : []), ...(request.byProject ? ["team"] : [])],
  top_projects: request.top ?? undefined,
  page_size,
  after,
});

/** In an address lists are JSON. */
const addressQuery = (parameters: Parameters): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value === undefined ? undefined : typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  );

const NAMED: Readonly<Record<string, string>> = {
  usage_breakdown_too_large: "This breakdown is too large for one answer. Ask for pages with `page_size`, or narrow it.",
  usage_date_range_too_long: "The date range is longer than a year. Choose a range of at most a year.",
};

const FIELD_PROBLEMS: Readonly<Record<string, string>> = {
  required: "This field is required.",
  invalid_input: "The billing service does not take this value.",
  invalid_choice: "The billing service does not know this value.",
};

/** A refusal in words of our own: what the billing service says is for us. */
const ownRefusal = (body: unknown): ApiError => {
  const { code, attr } = isFields(body) ? body : {};
  const name = typeof code === "string" ? code : "";
  if (name === "usage_query_timeout") return tooSlow();
  if (name === "permission_denied") return permissionDenied("The billing service does not show this to you.");
  const named = NAMED[name];
  if (named !== undefined) return standardError(400, "invalid_request", name, named);
  const problem = FIELD_PROBLEMS[name];
  if (problem !== undefined && typeof attr === "string" && Object.hasOwn(SeriesQuery.shape, attr)) return invalid(attr, problem, name);
  return standardError(
    400,
    "invalid_request",
    "billing_query_rejected",
    "The billing service refuses this question. Ask for something else.",
  );
};
