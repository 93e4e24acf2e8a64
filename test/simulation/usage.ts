import * as z from "zod";
import { showUsage } from "../../infra/cli/usage-command.ts";
import type { World } from "../../lib/app/world.ts";
import type { FileFacts } from "../../lib/lake/catalogue.ts";
import { recountDay } from "../../lib/lake/usage.ts";
import type { Write } from "../../lib/ports/table.ts";
import { Projects } from "../../lib/projects/projects.ts";
import { putting } from "../../lib/table/store.ts";
import { type DayCounts, sumUsage } from "../../lib/usage/day-counts.ts";
import { resolveKeyedCounts } from "../../lib/usage/resolve-keyed-counts.ts";
import { projectUsage as storedUsage } from "../../lib/usage/roll-ups.ts";
import type { Copy } from "../model/copies.ts";
import { usageOf } from "../model/usage.ts";
import { Violation } from "./ledger.ts";

export const ORGANIZATION = "00000000-0000-4000-8000-000000000001";

/** The item of a project of the one organization, for the transaction that makes it. */
export const projectWrite = (id: number): Write =>
  putting(Projects, {
    id,
    uuid: ORGANIZATION,
    organization_id: ORGANIZATION,
    name: `simulated ${id}`,
    api_token: `phc_${id}`,
    secret_token_mask: "phs_…",
    timezone: "UTC",
    account_group_type: null,
    state: "active",
    is_demo: false,
    autocapture_exceptions: true,
    erased_ids: "refuse",
    retention_months: null,
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  });

/** At the end the roll-ups, and what the operator is shown, say what the rows are; and so does who counts a day anew. */
export const checkUsage = async (world: World, project: number, stayed: readonly Copy[]): Promise<void> => {
  const always = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
  const rolled = await storedUsage(world, { organization: ORGANIZATION, project }, ...always);
  checkCounts(`the usage of project ${project}`, entriesOf(rolled), stayed);
  const { usage } = Shown.parse(await shownTo(world, project));
  const shown = usage.map(({ day, usage_type, count }) => [`${Date.parse(day) / DAY_MS} ${usage_type}`, count] as const);
  checkCounts(`the usage of project ${project} that the operator sees`, shown, stayed);
  const [first] = stayed;
  if (first === undefined) return;
  const recount = await recountDay({ ...world, rowFiles: world.engine.rowFiles }, { organization: ORGANIZATION, project }, first.day);
  if (recount?.differences.length) throw new Violation(`counted anew, the usage differs: ${JSON.stringify(recount.differences)}`);
};

/** Files count what their rows are. */
export const checkUsageOfFiles = (files: readonly FileFacts[], copies: readonly Copy[]): void =>
  checkCounts(files.map(({ key }) => key).join(" "), entriesOf(resolveKeyedCounts(sumUsage(files))), copies);

const DAY_MS = 86_400_000;
const Shown = z.object({ usage: z.array(z.object({ day: z.string(), usage_type: z.string(), count: z.number() })) });

const shownTo = async (world: World, project: number): Promise<unknown> => {
  const nothing = async (): Promise<void> => undefined;
  const target = { world, forgetKeys: () => undefined, close: nothing };
  return (await showUsage(target, { words: [], flags: { project: String(project) }, switches: new Set() })).json;
};

type Entries = readonly (readonly [string, number])[];

const entriesOf = (counts: DayCounts): Entries =>
  Object.entries(counts).flatMap(([day, types]) => Object.entries(types).map(([type, count]) => [`${day} ${type}`, count] as const));

const checkCounts = (what: string, said: Entries, copies: readonly Copy[]): void => {
  const [is, should] = [new Map(said), usageOf(copies)];
  const wrong = [...new Set([...is.keys(), ...should.keys()])].sort().filter((name) => is.get(name) !== should.get(name));
  if (wrong.length === 0) return;
  const shown = wrong.map((name) => `${is.get(name) ?? 0} of ${name} (its rows are ${should.get(name) ?? 0})`);
  throw new Violation(`${what} is ${shown.join(", ")}`);
};
