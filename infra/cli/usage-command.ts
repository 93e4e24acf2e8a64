import { Projects } from "../../lib/entities/projects.ts";
import type { DayCounts } from "../../lib/lake/catalogue.ts";
import { readHead, STATE_ENTRY } from "../../lib/lake/head.ts";
import { getManifest } from "../../lib/lake/manifests.ts";
import * as store from "../../lib/table/store.ts";
import type { World } from "../../lib/world/world.ts";
import { Complaint } from "../local/complaint.ts";
import { type Command, columns } from "./command.ts";

const DAY_MS = 86_400_000;

interface DayUsage {
  /** `yyyy-mm-dd`, UTC. */
  readonly day: string;
  readonly usage_type: string;
  readonly count: number;
}

export const usageCommand: Command = {
  name: "usage",
  summary: "Shows a project's usage by UTC day and type, of what is gathered",
  takes: "",
  example: "npm run --silent admin -- usage --project 1",
  flags: { project: "the project's id (needed)" },
  words: [0, 0],
  async run({ world }, { flags }) {
    const id = Number(flags.project);
    if (!Number.isSafeInteger(id) || id < 1) throw new Complaint("Give the project's id: --project 1");
    const project = await store.get(world.table, Projects, { id }, { consistent: true });
    if (project === undefined) throw new Complaint(`There is no project ${id}.`);
    const usage = await usageOf(world, id);
    const rows = usage.map(({ day, usage_type, count }) => [day, usage_type, String(count)]);
    return { json: { project: id, usage }, lines: columns(["day", "usage type", "count"], rows) };
  },
};

/** The sum of the counts of all files that the project's manifests name. */
const usageOf = async (world: Pick<World, "table" | "objects">, project: number): Promise<readonly DayUsage[]> => {
  const { manifests } = await readHead(world.table, project);
  const totals = new Map<string, DayUsage>();
  for (const [partition, id] of Object.entries(manifests)) {
    if (partition === STATE_ENTRY) continue;
    const manifest = await getManifest(world.objects, project, partition, id);
    if (manifest === undefined) throw new Complaint("The project's files are changing: try again.");
    for (const file of [...manifest.files, ...manifest.loose]) add(totals, file.usage);
  }
  return [...totals.entries()].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, usage]) => usage);
};

const add = (totals: Map<string, DayUsage>, counts: DayCounts): void => {
  for (const [number, types] of Object.entries(counts)) {
    const day = new Date(Number(number) * DAY_MS).toISOString().slice(0, 10);
    for (const [usage_type, count] of Object.entries(types)) {
      const name = `${day} ${usage_type}`;
      totals.set(name, { day, usage_type, count: count + (totals.get(name)?.count ?? 0) });
    }
  }
};
