import { hash } from "node:crypto";
import { usedUpResources } from "../../functions/capture/quota.ts";
import { importIdOf, isImportName, MAX_IMPORT_NAME } from "../../lib/event/imports.ts";
import { findImport, keepImport } from "../../lib/projects/imports.ts";
import { UserError } from "../local/user-error.ts";
import { chosenProject } from "./chosen-project.ts";
import { type Answer, type CommandArguments, columns, type Run } from "./command.ts";
import { openProgress } from "./import/checkpoint.ts";
import { shownDay } from "./import/counted-day.ts";
import { previewFile, previewLines } from "./import/dry-run.ts";
import { FORM_NAMES } from "./import/forms/form.ts";
import { type FileToImport, type ImportedFile, importFiles } from "./import/import-files.ts";
import { readMapping } from "./import/mapping.ts";
import { type OpenFile, openFile, type ReadOptions } from "./import/open-file.ts";
import { progressLine, standardError, whole } from "./import/progress-line.ts";
import { rejectPath } from "./import/rejects.ts";
import { openSources, type Source, sourceIdentity } from "./import/sources.ts";
import { storedByDay, untilStored } from "./import/verify.ts";
import type { Target } from "./target.ts";

/** Brings events of files into a project, as history. What it was given is refused in part where the code is 2. */
export const importEvents: Run = async (target, given) => {
  const { words, flags, switches } = given;
  const { world } = target;
  const project = await chosenProject(world.table, flags.project);
  const options = readOptions(flags);
  const sources = await openSources(words);
  const files: OpenFile[] = [];
  for (const source of sources) files.push(await openFile(source, options));
  if (switches.has("dry-run")) {
    const received = BigInt(world.clock.now()) * 1_000n;
    const previews = [];
    for (const file of files) previews.push(await previewFile(file, { world, project, received }));
    return { json: { files: previews }, lines: previews.flatMap(previewLines) };
  }
  if (switches.has("verify") && target.isAtRest === true)
    throw new UserError("--verify waits until all is stored, and no platform runs on the data directory: start it first, with npm start.");
  const name = await importName(flags, sources);
  await checkNotUndone(target, project.id, name);
  const imported = await sendFiles(target, { project, name, files, rejects: flags.rejects });
  const checked = switches.has("verify") ? await verified(target, project.id, name, imported) : undefined;
  tellLosses(imported, checked);
  return answerOf(name, imported, checked);
};

type Flags = CommandArguments["flags"];
type ProjectFacts = Awaited<ReturnType<typeof chosenProject>>;

const FORMS: readonly string[] = [...FORM_NAMES, "csv"];

const readOptions = ({ form, map, "group-type": groupType = "company" }: Flags): ReadOptions => {
  if (form !== undefined && !FORMS.includes(form)) throw new UserError(`There is no form "${form}": ${FORMS.join(", ")}.`);
  if (groupType === "") throw new UserError("--group-type needs a name.");
  return { form, mapping: map === undefined ? undefined : readMapping(map), groupType };
};

/** The same files read in the same way are the same import, wherever they lie. */
const importName = async (flags: Flags, sources: readonly Source[]): Promise<string> => {
  if (flags.import !== undefined) {
    if (isImportName(flags.import)) return flags.import;
    throw new UserError(`--import takes 1 to ${MAX_IMPORT_NAME} characters.`);
  }
  const files: string[] = [];
  for (const source of sources) files.push(await sourceIdentity(source));
  const read = [flags.form ?? "", flags.map ?? "", flags["group-type"] ?? ""];
  return `files-${hash("sha256", JSON.stringify([files.toSorted(), read]), "hex").slice(0, 12)}`;
};

/** What comes of an import that was undone is removed, however late it comes. Throws a `UserError`. */
const checkNotUndone = async ({ world }: Target, project: number, name: string): Promise<void> => {
  const known = await findImport(world.table, project, name);
  if (known?.state === "undone")
    throw new UserError(
      `The import "${name}" was undone, and what comes of it is removed. Bring the files in under another name: --import NAME`,
    );
};

interface Sending {
  readonly project: ProjectFacts;
  readonly name: string;
  readonly files: readonly OpenFile[];
  readonly rejects: string | undefined;
}

const sendFiles = async (
  { world, isAtRest = false }: Target,
  { project, name, files, rejects }: Sending,
): Promise<readonly ImportedFile[]> => {
  const progress = await openProgress(world.objects, project.id, importIdOf(name), world.clock.now());
  await keepImport(world, { project: project.id, name, source: "files" });
  const toImport: readonly FileToImport[] = files.map((file) => ({ file, rejects: rejectPath(file.source, rejects) }));
  const lane = {
    world,
    project,
    importName: name,
    received: progress.received,
    limited: () => usedUpResources(project.id, world),
    isDrained: !isAtRest,
  };
  const position = openPosition(files);
  const line = progressLine(standardError, position("", 0));
  const read = new Map<string, number>();
  const imported = await importFiles(toImport, lane, progress, (file, { line: lines }) => {
    read.set(file, lines);
    line.at(
      position(
        file,
        [...read.values()].reduce((sum, each) => sum + each, 0),
      ),
    );
  });
  line.end();
  const { read: records, accepted, rejected } = totalsOf(imported);
  await keepImport(world, { project: project.id, name, source: "files", read: records, accepted, rejected });
  return imported;
};

/** How far all files together are, by their bytes. */
const openPosition = (files: readonly OpenFile[]) => {
  const total = files.reduce((sum, { source }) => sum + source.bytes, 0);
  return (file: string, read: number) => {
    const done = files.reduce((sum, each) => sum + each.share() * each.source.bytes, 0);
    return { file, read, share: total === 0 ? 1 : Math.min(1, done / total) };
  };
};

/** Records that were read, and what became of them, in all files together. */
const totalsOf = (imported: readonly ImportedFile[]) => {
  const sum = (count: (file: ImportedFile) => number): number => imported.reduce((total, file) => total + count(file), 0);
  return {
    read: sum(readOf),
    accepted: sum(({ accepted }) => accepted),
    rejected: sum(({ rejected }) => rejected),
    left_out: sum(({ left_out }) => left_out),
  };
};

const readOf = ({ accepted, rejected, left_out }: ImportedFile): number => accepted + rejected + left_out;

interface Verified {
  readonly stored: ReadonlyMap<number, number>;
  readonly deadLetters: number;
}

const verified = async ({ world }: Target, project: number, name: string, imported: readonly ImportedFile[]): Promise<Verified> => {
  let told = -1;
  const { deadLetters } = await untilStored(world, project, (waiting) => {
    if (waiting !== told) standardError.tell(`${whole(waiting)} messages wait in the lane of imports\n`);
    told = waiting;
  });
  const stored = await storedByDay(world, project, name);
  const accepted = acceptedByDay(imported);
  const beyond = [...stored].find(([day, count]) => count > (accepted.get(day) ?? 0));
  if (beyond !== undefined)
    throw new UserError(
      `The lake has ${whole(beyond[1])} rows of this import on ${shownDay(beyond[0])}, and ${whole(accepted.get(beyond[0]) ?? 0)} were accepted: another command may have sent more under the same name.`,
    );
  return { stored, deadLetters };
};

const acceptedByDay = (imported: readonly ImportedFile[]): ReadonlyMap<number, number> => {
  const days = new Map<number, number>();
  for (const file of imported)
    for (const [day, count] of Object.entries(file.days)) days.set(Number(day), (days.get(Number(day)) ?? 0) + count);
  return new Map([...days].toSorted(([a], [b]) => a - b));
};

/** Says beside the answer what is not stored, and where it is. */
const tellLosses = (imported: readonly ImportedFile[], checked: Verified | undefined): void => {
  for (const { name, rejected, rejects } of imported)
    if (rejected > 0)
      standardError.tell(`${name}: ${whole(rejected)} records were refused; each stands in ${rejects} with its line and the reason.\n`);
  if (checked !== undefined && checked.deadLetters > 0)
    standardError.tell(`${whole(checked.deadLetters)} messages of imports could not be stored: admin redrive sends them again.\n`);
};

const answerOf = (name: string, imported: readonly ImportedFile[], checked: Verified | undefined): Answer => {
  const days = [...acceptedByDay(imported)].map(([day, accepted]) => {
    const stored = checked?.stored.get(day) ?? 0;
    return { day: shownDay(day), accepted, ...(checked !== undefined && { stored, duplicates: accepted - stored }) };
  });
  const totals = totalsOf(imported);
  const json = {
    import: importIdOf(name),
    name,
    ...totals,
    ...(checked !== undefined && { stored: days.reduce((total, { stored = 0 }) => total + stored, 0), dead_letters: checked.deadLetters }),
    files: imported.map((file) => ({
      file: file.name,
      read: readOf(file),
      accepted: file.accepted,
      rejected: file.rejected,
      left_out: file.left_out,
      ...(file.rejected > 0 && { rejects: file.rejects }),
    })),
    days,
  };
  const head = ["day", "accepted", ...(checked === undefined ? [] : ["stored", "duplicates"])];
  const lines = [
    `Import ${importIdOf(name)} (${name}): ${whole(totals.read)} read, ${whole(totals.accepted)} accepted, ${whole(totals.rejected)} refused` +
      `${totals.left_out > 0 ? `, ${whole(totals.left_out)} left out` : ""}.`,
    ...(days.length === 0
      ? []
      : [
          "",
          ...columns(
            head,
            days.map((each) => Object.values(each).map(String)),
          ),
        ]),
  ];
  return { json, lines, ...(totals.rejected > 0 && { exitCode: 2 as const }) };
};
