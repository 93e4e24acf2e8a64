import type { World } from "../../lib/app/world.ts";
import { DAY_MS, DAY_US, isoDay } from "../../lib/core/time.ts";
import { GoneFile } from "../../lib/engine/gone-file.ts";
import { daysWithEvents, storedEvents } from "../../lib/engine/stored-events.ts";
import type { PinnedState } from "../../lib/lake/catalogue.ts";
import { pin } from "../../lib/lake/pin.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import type { CommandArguments, Run } from "./command.ts";
import { readDay } from "./day.ts";
import type { ExportRequest } from "./export/checkpoint.ts";
import { type Compression, FORMS, type Form } from "./export/encode-events.ts";
import { type ExportOutput, openOutput } from "./export/output.ts";
import { exportProgress } from "./export/progress.ts";

/** Writes the events of some days to a file, into a directory or to standard output, each as queries see it. */
export const exportEvents: Run = async ({ world }, given) => {
  const { out } = given.flags;
  if (!out) throw new UserError("Say where to write with --out: a file, a directory that ends with a slash, or - for standard output.");
  const project = await chosenProject(world.table, given.flags.project);
  const request = readRequest(project.id, given);
  const output = await openOutput(out, request).catch(toldFault(out));
  try {
    const before = output.progress();
    if (before.next_day > request.days[0])
      process.stderr.write(
        `Goes on where it was broken off: from ${isoDay(before.next_day)} on, the export is of the events as they are now.\n`,
      );
    await writeAll(world, request, output).catch(toldFault(out));
    await output.finish();
    const { events, bytes, files } = output.progress();
    const resumed = before.events > 0;
    const sentence = `${events.toLocaleString("en-US")} events of project ${project.id} were exported${resumed ? `, ${before.events.toLocaleString("en-US")} of them before it was broken off` : ""}.`;
    if (out === "-") process.stderr.write(`${sentence}\n`);
    return out === "-"
      ? { json: undefined, lines: [] }
      : { json: { project: project.id, out, events, bytes, files: out.endsWith("/") ? files : 1 }, lines: [sentence] };
  } finally {
    await output.close();
  }
};

/** The first and the last day that events can have: those of the years 0 and 9999. */
const ALL_DAYS = [Date.parse("0000-01-01") / DAY_MS, Date.parse("9999-12-31") / DAY_MS] as const;

const readRequest = (project: number, { flags, lists, switches }: CommandArguments): ExportRequest => {
  const days: [number, number] = [dayNumber(flags.from) ?? ALL_DAYS[0], dayNumber(flags.to) ?? ALL_DAYS[1]];
  if (days[0] > days[1]) throw new UserError("--from has to be a day before --to, or the same.");
  const form = FORMS.find((known) => known === (flags.form ?? "jsonl"));
  if (form === undefined) throw new UserError(`There is no form "${flags.form}": give jsonl or parquet.`);
  const names = lists?.event ?? [];
  return { project, days, events: names.length === 0 ? null : [...names].toSorted(), form, compression: compressionOf(form, switches) };
};

const compressionOf = (form: Form, switches: ReadonlySet<string>): Compression => {
  const [first, second] = (["gzip", "zstd"] as const).filter((name) => switches.has(name));
  if (second !== undefined) throw new UserError("Give --gzip or --zstd, not both.");
  if (first !== undefined && form === "parquet") throw new UserError(`Parquet is compressed in itself: leave out --${first}.`);
  return first ?? "none";
};

const dayNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : readDay(text) / DAY_MS);

/** Pins of one export that may be too old before a day of theirs was written. */
const MOST_VAIN_PINS = 3;

/**
 * All days of one state of the lake. Where its files are gone before all are written, the days that are left are those of the state as
 * it is then.
 */
const writeAll = async (world: World, request: ExportRequest, output: ExportOutput): Promise<void> => {
  const tell = exportProgress();
  for (let vain = 0; ; ) {
    const { next_day } = output.progress();
    if (next_day > request.days[1]) break;
    const pinned = await pinDays(world, request.project, [next_day, request.days[1]]);
    try {
      await writeDays(world, pinned, request, output, tell);
      break;
    } catch (thrown) {
      vain = output.progress().next_day > next_day ? 0 : vain + 1;
      if (!(thrown instanceof GoneFile) || vain === MOST_VAIN_PINS) throw thrown;
      await output.rollBack();
      process.stderr.write(
        `What was being read was replaced a day ago: from ${shownDay(output.progress().next_day)} on, the export is of the events as they are now.\n`,
      );
    }
  }
};

const shownDay = (day: number): string => (day === ALL_DAYS[0] ? "the first day" : isoDay(day));

const pinDays = (world: World, project: number, [first, last]: readonly [number, number]): Promise<PinnedState> =>
  pin(world, project, { from: BigInt(first) * DAY_US, to: BigInt(last + 1) * DAY_US }, { events: true, state: false });

const writeDays = async (
  world: World,
  pinned: PinnedState,
  { days: [, last], events }: ExportRequest,
  output: ExportOutput,
  tell: ReturnType<typeof exportProgress>,
): Promise<void> => {
  const parts = daysWithEvents(pinned, { days: [output.progress().next_day, last], events });
  for (const part of parts) {
    for await (const slice of storedEvents(world.engine, pinned, part, events)) {
      await output.write(slice, part.days[0]);
      tell.read(slice.length, part.days[1]);
    }
    await output.keep(part.days[1] + 1);
  }
  await output.keep(last + 1);
};

/** What the disk or the terminal refuses is told in a line, with what to do then. */
const toldFault =
  (out: string) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof Error) || !("code" in thrown) || !("syscall" in thrown)) throw thrown;
    if (out === "-") throw new UserError(`Standard output cannot be written to the end: ${thrown.message}.`);
    throw new UserError(`${out} cannot be written: ${thrown.message}. The same command goes on where this one stopped.`);
  };
