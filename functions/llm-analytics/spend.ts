import { createHash } from "node:crypto";
import type { World } from "../../lib/app/world.ts";
import type { PersonalCaller } from "../../lib/auth/callers.ts";
import { checkMember, currentOrganization, placeInOrganization } from "../../lib/auth/membership.ts";
import { forEachConcurrent } from "../../lib/core/concurrency.ts";
import { isYoung } from "../../lib/core/time.ts";
import { inSlot } from "../../lib/endpoints/in-slot.ts";
import type { Rows } from "../../lib/engine/engine.ts";
import { QueryError, wireError } from "../../lib/hogql/errors.ts";
import { lower } from "../../lib/hogql/lower.ts";
import type { LoweredQuery } from "../../lib/hogql/lowered-query.ts";
import { notFound, permissionDenied, standardError } from "../../lib/http/errors.ts";
import type { PinnedState } from "../../lib/lake/catalogue.ts";
import { resultKey } from "../../lib/lake/paths.ts";
import { pin, planEvents } from "../../lib/lake/pin.ts";
import { type Project, Projects } from "../../lib/projects/projects.ts";
import { get, list } from "../../lib/table/store.ts";
import { GENERATION_EVENTS, NUMERIC } from "./generations.ts";
import { type SpendQuery, type SpendWindow, spendWindow } from "./parameters.ts";
import { spendQuery } from "./query.ts";
import { spendRows } from "./rows.ts";
import { PersonalSpend, spendForm } from "./wire.ts";

const KEPT_MS = 300_000;
const FORMAT = 1;
const MAX_ROWS = 50_000;

/** Names of a breakdown that each of several projects tells, so that their sums are those of all; the answer has no more than were asked for. */
const NAMES_OF_EACH = 5_000;
const MAX_BYTES = 33_554_432;

const NOT_PROVISIONED = "There is no project here that holds LLM generations: spend analysis is not provisioned.";

/** The caller's spend: the answer kept in the last five minutes, or one computed now. */
export const personalSpend = async (world: World, caller: PersonalCaller, query: SpendQuery): Promise<PersonalSpend> => {
  const { email } = caller.user;
  if (email === "") throw permissionDenied("Spend is found by e-mail address, and you have none.");
  const window = spendWindow(query, world.clock.now());
  const projects = await telemetryProjects(world, caller);
  const key = answerKey(email, query, projects);
  const kept = query.refresh ? undefined : await readKept(world, key);
  if (kept !== undefined) return kept;
  const computed = spendForm(window, spendRows(await runQueries(world, email, window, projects)));
  await world.objects.put(key, Buffer.from(JSON.stringify({ v: FORMAT, at: world.clock.now(), spend: computed })));
  return computed;
};

/** The deployment's one project of generations, else all projects of the organization that the caller acts in. */
const telemetryProjects = async ({ table, config }: World, caller: PersonalCaller): Promise<readonly Project[]> => {
  if (config.llmAnalyticsProjectId > 0) {
    const project = await get(table, Projects, { id: config.llmAnalyticsProjectId });
    if (project?.state !== "active") throw notFound(NOT_PROVISIONED);
    return [project];
  }
  const id = await currentOrganization(table, caller);
  const place = id === undefined ? undefined : await placeInOrganization(table, caller, id);
  if (place === undefined) throw notFound(NOT_PROVISIONED);
  await checkMember(table, place, caller.user);
  const projects = await list(table, Projects, "ofOrganization", { organization_id: place.organization.id });
  const active = projects.filter(({ state }) => state === "active");
  if (active.length === 0) throw notFound(NOT_PROVISIONED);
  return active;
};

/** Each project that has generations is asked once, for everything and in one of its slots; all within the time of one run. Throws 400 and `Busy`. */
const runQueries = async (
  world: World,
  email: string,
  window: SpendWindow,
  projects: readonly Project[],
): Promise<readonly Rows["rows"][]> => {
  const began = performance.now();
  const asked = await pinGenerations(world, window, projects);
  const ast = spendQuery(email, window, asked.length === 1 ? window.limit + 1 : NAMES_OF_EACH);
  const answers: Rows["rows"][] = [];
  const rowsOf = async (pinned: PinnedState, admitted: Promise<void>): Promise<Rows["rows"]> => {
    const lowered = loweredFor(pinned.project, ast, world.clock.now());
    const timeMs = Math.ceil(world.config.queryTimeMs - (performance.now() - began));
    if (timeMs <= 0) throw new QueryError("query_timeout", "This took longer than one request may. Ask for fewer days.");
    return (await world.engine.run(lowered, pinned, { timeMs, maxRows: MAX_ROWS, maxReplyBytes: MAX_BYTES, admitted })).rows;
  };
  try {
    for (const pinned of asked)
      answers.push(await inSlot(world, { project: { id: pinned.project }, id: world.ids.uuid() }, (admitted) => rowsOf(pinned, admitted)));
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { type, code } = wireError(error);
    throw standardError(400, type, code, error.message, { cause: error });
  }
  return answers;
};

/** Projects whose catalogues are read side by side. */
const PINNED_AT_ONCE = 16;

/** The states of those projects that may have generations in the window: the others have nothing to tell. */
const pinGenerations = async (world: World, window: SpendWindow, projects: readonly Project[]): Promise<readonly PinnedState[]> => {
  const range = { from: BigInt(window.from) * 1_000n, to: BigInt(window.to) * 1_000n };
  const found = new Map<number, PinnedState>();
  await forEachConcurrent(projects, PINNED_AT_ONCE, async ({ id }) => {
    const pinned = await pin(world, id, range, { events: true, state: true });
    const { files, waiting } = planEvents(pinned, { ...range, events: GENERATION_EVENTS, distinctIds: null });
    if (files.length + waiting.length > 0) found.set(id, pinned);
  });
  return projects.flatMap(({ id }) => found.get(id) ?? []);
};

const loweredFor = (project: number, ast: ReturnType<typeof spendQuery>, now: number): LoweredQuery =>
  lower(ast, {
    project,
    timezone: "UTC",
    now,
    variables: {},
    propertyType: (owner, name) => (owner === "event" && NUMERIC.has(name) ? "Numeric" : "String"),
    page: null,
    maxRows: MAX_ROWS,
    defaultRows: MAX_ROWS,
  }).lowered;

/** Found by what was asked, and not by what it meant at that moment: `-7d` is the same for five minutes. */
const answerKey = (email: string, query: SpendQuery, projects: readonly Project[]): string => {
  const { date_from = null, date_to, product, limit, bucket_minutes = null } = query;
  const asked = [projects.map(({ id }) => id), email, date_from, date_to || "now", product, limit, bucket_minutes];
  return resultKey(projects[0]?.id ?? 0, `spend-${createHash("sha256").update(JSON.stringify(asked)).digest("hex")}`);
};

const readKept = async ({ objects, clock }: World, key: string): Promise<PersonalSpend | undefined> => {
  const bytes = await objects.get(key);
  if (bytes === undefined) return undefined;
  const stored: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (typeof stored !== "object" || stored === null || !("v" in stored) || stored.v !== FORMAT) return undefined;
  const isKept = "at" in stored && typeof stored.at === "number" && isYoung(stored.at, KEPT_MS, clock.now());
  return "spend" in stored && isKept ? PersonalSpend.parse(stored.spend) : undefined;
};
