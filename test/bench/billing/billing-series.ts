import { stat } from "node:fs/promises";
import { billing } from "../../../functions/billing/routes.ts";
import type { World } from "../../../lib/app/world.ts";
import { DAY_MS } from "../../../lib/core/time.ts";
import { USAGE_TYPES } from "../../../lib/usage/identifiers.ts";
import { memoryObjects } from "../../support/memory-objects.ts";
import { storeUsages } from "../../support/samples/stored-usage.ts";
import { aMembership, anOrganization, aPersonalKey, aProject, apiWorld, ask, aUser, NOON } from "../../support/worlds/api-world.ts";
import { median, type Part } from "../figures.ts";

const PROJECTS = 2_000;
const DAYS = 45;
const ROUNDS = 7;
/** Many different counts, so that neither the store nor the file is all alike. */
const KINDS = 20;
const MEGABYTE = 1_000_000;

/** Usage of 2,000 projects on 45 days in 27 types with both breakdowns, over the routes, with ports in memory. */
export const billingSeries: Part = {
  name: "billing.series",
  seconds: 60,
  measures: ["functions/billing", "lib/billing"],
  async run() {
    const { world, objects, key } = await aWorld();
    const range = `start_date=${date(DAYS - 1)}&end_date=${date(0)}&breakdowns=["type","team"]`;
    const pages: number[] = [];
    const working: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const cpu = process.cpuUsage();
      const began = performance.now();
      const page = await ask(billing, world, "GET", `/api/billing/usage/?${range}&page_size=100`, { key });
      if (page.status !== 200) throw new Error(String(page.body));
      pages.push(performance.now() - began);
      working.push(millisecondsOf(process.cpuUsage(cpu)));
    }
    const files: number[] = [];
    const making: number[] = [];
    let held = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = process.memoryUsage().rss;
      const cpu = process.cpuUsage();
      const began = performance.now();
      const reply = await ask(billing, world, "GET", `/api/billing/usage/export/?${range}`, { key });
      const seconds = (performance.now() - began) / 1_000;
      if (reply.status !== 302) throw new Error(`status ${reply.status}`);
      files.push(objects.bytes / MEGABYTE / seconds);
      making.push((objects.bytes / MEGABYTE / millisecondsOf(process.cpuUsage(cpu))) * 1_000);
      held = Math.max(held, (process.memoryUsage().rss - before) / MEGABYTE);
    }
    const set = `${PROJECTS} projects, ${DAYS} days, ${USAGE_TYPES.length} types, both breakdowns`;
    return [
      {
        name: "billing.first_page_ms",
        value: median(pages),
        unit: "ms",
        baseline: `${set}, 100 series of a page, ${Math.round(median(working))} ms of processor time; at most 200`,
      },
      {
        name: "billing.csv_mb_per_s",
        value: median(files),
        unit: "MB/s",
        baseline: `${set}, a file of ${Math.round(objects.bytes / MEGABYTE)} MB through the route, ${Math.round(median(making))} MB a second of processor time; at least 20`,
      },
      { name: "billing.csv_growth_mb", value: held, unit: "MB", baseline: "most memory that a later file added to the process" },
    ];
  },
};

const millisecondsOf = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000;

const date = (ago: number): string => new Date(NOON - ago * DAY_MS).toISOString().slice(0, 10);

const aWorld = async () => {
  const objects = { ...memoryObjects(), bytes: 0 };
  objects.offer = async (key, path) => {
    objects.bytes = (await stat(path)).size;
    return `https://store.example/${key}`;
  };
  const { world } = apiWorld({ objects });
  const organization = await anOrganization(world);
  const owner = await aUser(world, 1);
  await aMembership(world, owner, organization, "owner");
  for (let project = 1; project <= PROJECTS; project += 1) await aProject(world, organization, project);
  for (let kind = 0; kind < KINDS; kind += 1) await storeKind(world, organization.id, kind);
  return { world, objects, key: await aPersonalKey(world, owner, ["billing:read"]) };
};

const storeKind = (world: World, organization: string, kind: number): Promise<void> => {
  const projects = Array.from({ length: PROJECTS / KINDS }, (_, at) => 1 + at * KINDS + kind);
  const counts = Array.from({ length: DAYS }, (_, day) => [
    date(day),
    Object.fromEntries(USAGE_TYPES.map((type, at) => [type, 1 + ((kind * 7_919 + day * 104_729 + at * 1_299_709) % 100_000)])),
  ]);
  return storeUsages(world, organization, projects, Object.fromEntries(counts));
};
