import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { apiClient } from "../../support/api-client.ts";
import { SHAPES, type Shape } from "../../support/history/shapes.ts";
import { eventually, tenantIn } from "../../support/processes/platform.ts";
import { startProcess } from "../../support/processes/platform-process.ts";
import { sqlQuery } from "../../support/samples/saved-query.ts";
import { type Figure, median, type Part } from "../figures.ts";
import { program, runImport, writeLines } from "./programs.ts";

const READ_EVENTS = 400_000;
const STORED_EVENTS = 300_000;
const ROUNDS = 3;
const BUDGET_MS = 300_000;
const LEAST_READ = 60_000;
const LEAST_STORED = 25_000;
const MOST_MB = 400;

/** Lines that cost most to hold: nearly as long as an event may be, and as long as a line may be. */
const LONG_EVENTS = 300;
const LONG_EVENT_BYTES = 1_000_000;
const LONG_LINES = 20;
const LONG_LINE_BYTES = 9_000_000;

/**
 * The command of imports: how fast files of every product become messages, how fast they are rows that a query counts, on a platform
 * beside it, and the most memory of the command's process, for lines as they are and for the longest.
 */
export const importing: Part = {
  name: "import",
  seconds: 120,
  measures: ["functions/ingest", "infra/cli/import", "lib/lake"],
  async run() {
    const folder = await mkdtemp(join(tmpdir(), "bench-import-"));
    try {
      const read = await readFigures(folder);
      return [...read, ...(await storedFigures(folder))];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const Read = z.object({ events: z.number(), ms: z.number(), peakKb: z.number() });

const jsonOf =
  (shape: Shape) =>
  (number: number): string =>
    JSON.stringify(shape(number));

const MEGABYTE_KB = 1_024;

const readFigures = async (folder: string): Promise<readonly Figure[]> => {
  const rates: { readonly name: string; readonly rate: number }[] = [];
  for (const [name, shape] of Object.entries(SHAPES)) {
    const path = await writeLines(join(folder, "read.jsonl"), READ_EVENTS, jsonOf(shape));
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { events, ms } = Read.parse(await program("read-case.ts", path));
      if (events !== READ_EVENTS) throw new Error(`${events} of ${READ_EVENTS} events of ${name} were read`);
      rounds.push((events * 1000) / ms);
    }
    rates.push({ name, rate: Math.round(median(rounds)) });
  }
  const own = rates.find(({ name }) => name === "events")?.rate ?? 0;
  const all = rates.map(({ name, rate }) => `${name} ${rate}`).join(", ");
  return [
    { name: "import.read_events_per_s", value: own, unit: "events/s", baseline: `files to messages; ${all}; at least ${LEAST_READ}` },
    ...(await longestLines(folder)),
  ];
};

const longestLines = async (folder: string): Promise<readonly Figure[]> => {
  const path = await writeLines(join(folder, "long.jsonl"), LONG_EVENTS + LONG_LINES, (number) =>
    JSON.stringify({
      ...SHAPES.events(number),
      properties: { text: "x".repeat(number % 16 === 15 ? LONG_LINE_BYTES : LONG_EVENT_BYTES) },
    }),
  );
  const { peakKb } = Read.parse(await program("read-case.ts", path));
  return [
    {
      name: "import.peak_mb_longest_lines",
      value: Math.round(peakKb / MEGABYTE_KB),
      unit: "MB",
      baseline: `events of a megabyte, and lines of nine; at most ${MOST_MB}`,
    },
  ];
};

const storedFigures = async (folder: string): Promise<readonly Figure[]> => {
  const path = await writeLines(join(folder, "stored.jsonl"), STORED_EVENTS, jsonOf(SHAPES.events));
  const data = join(folder, "data");
  // Looking whether all is counted is no client's traffic.
  process.env.THROTTLE_SCALE = "1000";
  const platform = await startProcess(data);
  try {
    const rounds: { readonly rate: number; readonly peakKb: number }[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) rounds.push(await storedRound(data, platform.baseUrl, path, round));
    // The first one warms the platform up.
    const rates = rounds.slice(1).map(({ rate }) => rate);
    return [
      {
        name: "import.stored_events_per_s",
        value: Math.round(median(rates)),
        unit: "events/s",
        baseline: `from the command's start until a query counts ${STORED_EVENTS}, the platform on the same cores; at least ${LEAST_STORED}`,
      },
      {
        name: "import.peak_mb",
        value: Math.round(Math.max(...rounds.map(({ peakKb }) => peakKb)) / MEGABYTE_KB),
        unit: "MB",
        baseline: `the command's process; at most ${MOST_MB}`,
      },
    ];
  } finally {
    await platform.kill();
  }
};

const storedRound = async (data: string, url: string, path: string, round: number) => {
  const tenant = await tenantIn(data, `bench-import-${round}`);
  const api = apiClient(url, tenant.personalKey);
  const endpoints = `/api/projects/${tenant.projectId}/endpoints/`;
  await api.post(endpoints, { name: "total", query: sqlQuery("SELECT count() FROM events") });
  const began = performance.now();
  const imported = runImport(path, "--project", String(tenant.projectId), "--data-dir", data);
  await eventually(
    async () => {
      const { body } = await api.post(`${endpoints}total/run/`, { refresh: "force" });
      const [[count] = []] = Object(body).results ?? [];
      if (count !== STORED_EVENTS) throw new Error(`${count} of ${STORED_EVENTS} events are counted`);
    },
    { budgetMs: BUDGET_MS, everyMs: 100 },
  );
  const rate = (STORED_EVENTS * 1000) / (performance.now() - began);
  return { rate, peakKb: (await imported).peakKb };
};
