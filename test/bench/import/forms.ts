import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { type ApiClient, apiClient } from "../../support/api-client.ts";
import { dayOf, personOf, SHAPES, type Shape } from "../../support/history/shapes.ts";
import { type ATenant, tenantIn } from "../../support/processes/platform.ts";
import { startProcess } from "../../support/processes/platform-process.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import type { Figure, Part } from "../figures.ts";
import { runImport, writeLines } from "./programs.ts";

const LINES = Number(process.env.BENCH_FORM_LINES ?? 1_000_000);

/**
 * A million lines of each form of another product, imported by the command with `--verify` and then counted by queries: by days with
 * their events and people, and by names. Throws where anything differs from what was written.
 */
export const importedForms: Part = {
  name: "import.forms",
  seconds: 600,
  measures: ["functions/ingest", "infra/cli/import", "lib/lake"],
  async run(): Promise<readonly Figure[]> {
    const folder = await mkdtemp(join(tmpdir(), "bench-forms-"));
    const data = join(folder, "data");
    process.env.THROTTLE_SCALE = "1000";
    const platform = await startProcess(data);
    const figures: Figure[] = [];
    try {
      for (const [name, shape] of Object.entries(FOREIGN)) {
        const { path, written } = await writeForm(join(folder, "form.jsonl"), shape);
        const tenant = await tenantIn(data, `forms-${figures.length}`);
        const began = performance.now();
        await runImport(path, "--verify", "--project", String(tenant.projectId), "--data-dir", data);
        const ms = performance.now() - began;
        const stored = await storedIn(apiClient(platform.baseUrl, tenant.personalKey), tenant);
        if (JSON.stringify(stored) !== JSON.stringify(written)) throw new Error(`${name}: ${difference(stored, written)}`);
        figures.push({
          name: `import.forms_events_per_s: ${name}`,
          value: Math.round((LINES * 1_000) / ms),
          unit: "events/s",
          baseline: `of ${LINES} lines, until the command has verified that each is stored`,
        });
        await rm(path);
      }
      return figures;
    } finally {
      await platform.kill();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const { events: _, ...FOREIGN } = SHAPES;

/** What a project's events come to: of each day its events and its people, and how often each name stands, without the names. */
interface Tally {
  readonly days: readonly (readonly [day: string, events: number, people: number])[];
  readonly names: readonly number[];
}

const writeForm = async (to: string, shape: Shape): Promise<{ readonly path: string; readonly written: Tally }> => {
  const days = new Map<string, { events: number; readonly people: Set<string> }>();
  const names = new Map<string, number>();
  const path = await writeLines(to, LINES, (number) => {
    const record = shape(number);
    const day = days.get(dayOf(number)) ?? { events: 0, people: new Set() };
    days.set(dayOf(number), day);
    day.events += 1;
    day.people.add(personOf(number));
    const name = nameIn(record);
    names.set(name, (names.get(name) ?? 0) + 1);
    return JSON.stringify(record);
  });
  const byDay = [...days].map(([day, { events, people }]) => [day, events, people.size] as const);
  return { path, written: { days: byDay.sort(([one], [other]) => (one < other ? -1 : 1)), names: ascending([...names.values()]) } };
};

/** What a record calls what happened, in whichever form. */
const nameIn = ({ event, event_type, type }: { event?: string; event_type?: string; type?: string }): string =>
  event ?? event_type ?? type ?? "";

const ascending = (counts: readonly number[]): readonly number[] => counts.toSorted((a, b) => a - b);

const Days = z.object({ results: z.array(z.tuple([z.string(), z.number(), z.number(), z.number()])) });
const Names = z.object({ results: z.array(z.tuple([z.string(), z.number()])) });

const storedIn = async (api: ApiClient, { projectId }: ATenant): Promise<Tally> => {
  const ask = async (text: string): Promise<unknown> =>
    (await api.post(`/api/projects/${projectId}/query/`, { query: sqlQuery(text), refresh: "force" })).body;
  const { results: days } = Days.parse(
    await ask(
      "SELECT toString(toDate(timestamp)) AS day, count(), uniq(distinct_id), uniq(uuid) FROM events GROUP BY day ORDER BY day LIMIT 1000",
    ),
  );
  const twice = days.find(([, events, , ids]) => events !== ids);
  if (twice !== undefined) throw new Error(`of ${twice[0]} an event is there twice`);
  const { results: names } = Names.parse(await ask("SELECT event, count() FROM events GROUP BY event LIMIT 100"));
  return { days: days.map(([day, events, people]) => [day, events, people]), names: ascending(names.map(([, count]) => count)) };
};

const difference = (stored: Tally, written: Tally): string => {
  const at = written.days.findIndex((day, place) => JSON.stringify(day) !== JSON.stringify(stored.days[place]));
  const [found, wanted] = at === -1 ? [stored.names, written.names] : [stored.days[at], written.days[at]];
  return `${JSON.stringify(found)} is stored where ${JSON.stringify(wanted)} was written`;
};
