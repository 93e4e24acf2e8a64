import type { Figure, Part } from "../figures.ts";
import { type Busy, type BusyOutcome, runBusyProject } from "./busy-project.ts";
import { FILE_ROWS, measureCatalogue } from "./catalogue.ts";
import { measureCompaction } from "./compaction.ts";
import { growthPage } from "./page.ts";
import { measurePersons } from "./persons.ts";
import { measureSweep } from "./projects.ts";

/** Files of a month: two hundred million, two billion, and twenty billion rows. */
const FILES = [1_000, 10_000, 100_000] as const;
const PROJECTS = 10_000;
const MINUTES = 40;
/** Events a second of one project, and the workers that compact it. */
const LOADS: readonly Pick<Busy, "perSecond" | "workers">[] = [
  { perSecond: 1_000, workers: 1 },
  { perSecond: 10_000, workers: 1 },
  { perSecond: 60_000, workers: 1 },
  { perSecond: 60_000, workers: 2 },
  { perSecond: 60_000, workers: 4 },
  { perSecond: 100_000, workers: 4 },
];

/** What each stage costs as data grow: the figures of `infra/growth.md`, which is printed as it would be with them. */
export const growth: Part = {
  name: "growth",
  seconds: 240,
  measures: ["lib/engine", "lib/lake"],
  apart: true,
  async run() {
    const figures = [...(await catalogueFigures()), ...(await sweepFigures()), ...(await personFigures())];
    const costs = await measureCompaction();
    figures.push(...Object.entries(costs).map(([name, value]) => figure(`growth.compaction.${name}`, value, COMPACTION_UNITS[name] ?? "")));
    for (const load of LOADS) {
      const outcome = await runBusyProject({ ...load, minutes: MINUTES, speeds: costs });
      figures.push(...busyFigures(load, outcome));
    }
    console.log(growthPage(figures));
    return figures;
  },
};

const figure = (name: string, value: number, unit: string): Figure => ({ name, value: Number(value.toPrecision(3)), unit, baseline: "" });

const COMPACTION_UNITS: Readonly<Record<string, string>> = {
  ...{ writeSegments: "CPU s/M rows", gather: "CPU s/M rows", compare: "CPU s/M near rows", merge: "CPU s/M rows" },
  ...{ rowBytes: "bytes/row", plainRowBytes: "bytes/row", footerBytes: "bytes/file", comparedRowBytes: "bytes/row" },
  comparedRequests: "GETs/file",
};

const catalogueFigures = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const files of FILES) {
    const { leaves, factBytes, rootBytes, storedBytes, day, month, swap, unsplit } = await measureCatalogue(files);
    const name = (what: string): string => `growth.catalogue.${files}.${what}`;
    figures.push(
      figure(name("million_rows"), (files * FILE_ROWS) / 1_000_000, "M rows"),
      figure(name("leaves"), leaves, "objects"),
      figure(name("fact_bytes"), factBytes, "bytes/file"),
      figure(name("root_kb"), rootBytes / 1_000, "KB"),
      figure(name("stored_kb"), storedBytes / 1_000, "KB"),
      figure(name("pin_day_ms"), day.ms, "CPU ms"),
      figure(name("pin_day_gets"), day.requests, "GETs"),
      figure(name("pin_month_ms"), month.ms, "CPU ms"),
      figure(name("pin_month_gets"), month.requests, "GETs"),
      figure(name("swap_ms"), swap.ms, "CPU ms"),
      figure(name("swap_written_kb"), swap.written / 1_000, "KB"),
      figure(name("unsplit_swap_ms"), unsplit.ms, "CPU ms"),
      figure(name("unsplit_swap_written_kb"), unsplit.written / 1_000, "KB"),
    );
  }
  return figures;
};

const sweepFigures = async (): Promise<Figure[]> => {
  const { ms, tableCalls, readUnits, objectCalls, messages } = await measureSweep(PROJECTS);
  const name = (what: string): string => `growth.sweep.${what}`;
  return [
    figure(name("projects"), PROJECTS, "projects"),
    figure(name("cpu_s"), ms / 1_000, "CPU s"),
    figure(name("table_calls"), tableCalls / PROJECTS, "calls/project"),
    figure(name("read_units"), readUnits / PROJECTS, "units/project"),
    figure(name("object_calls"), objectCalls / PROJECTS, "GETs/project"),
    figure(name("messages"), messages / PROJECTS, "messages/project"),
  ];
};

const personFigures = async (): Promise<Figure[]> => {
  const { first, later, persons } = await measurePersons();
  return [
    figure("growth.persons.first", first, "CPU s/M persons"),
    figure("growth.persons.later", later, "CPU s/M persons"),
    figure("growth.persons.known", persons, "persons"),
  ];
};

const busyFigures = ({ perSecond, workers }: Pick<Busy, "perSecond" | "workers">, outcome: BusyOutcome): readonly Figure[] => {
  const name = (what: string): string => `growth.busy.${perSecond}.${workers}.${what}`;
  return [
    figure(name("waiting_minutes"), outcome.waitingMinutes, "minutes"),
    figure(name("waiting_share"), (100 * outcome.waitingRows) / outcome.rows, "% of rows"),
    figure(name("loose_share"), 100 * outcome.looseShare, "% of rows"),
    figure(name("busy_share"), 100 * outcome.busyShare, "% of a core"),
    figure(name("amplification"), outcome.amplification, "rows/row"),
    figure(name("write_units"), outcome.tableWriteUnits, "units/M rows"),
    figure(name("read_units"), outcome.tableReadUnits, "units/M rows"),
    figure(name("puts"), outcome.puts, "PUTs/M rows"),
    figure(name("gets"), outcome.gets, "GETs/M rows"),
  ];
};
