import { HOUR_MS } from "../../lib/core/time.ts";
import { progress } from "./backup/progress.ts";
import { type Verification, verify } from "./backup/verify.ts";
import { projectEvenRemoved } from "./chosen-project.ts";
import { columns, type Run } from "./command.ts";
import { readOnlyTable } from "./read-only-table.ts";

export const verifyStore: Run = async (target, { flags, switches }) => {
  const world = { ...target.world, table: readOnlyTable(target.world.table) };
  const shown = progress();
  const verification = await verify(world, {
    ...(flags.project !== undefined && { project: await projectEvenRemoved(world.table, flags.project) }),
    isDeep: switches.has("deep"),
    onProgress: shown.at,
  });
  shown.end();
  return {
    json: verificationJson(verification),
    lines: verificationLines(verification, world.clock.now()),
    ...(verification.problemCount > 0 && { exitCode: 1 }),
  };
};

/** The answer for programs. */
export const verificationJson = ({ problemCount, unnamedCount, unnamedBytes, unnamed, ...counted }: Verification) => ({
  ok: problemCount === 0,
  ...counted,
  problem_count: problemCount,
  unnamed: unnamed.map(({ key, bytes, modified }) => ({ key, bytes, modified: new Date(modified).toISOString() })),
  unnamed_count: unnamedCount,
  unnamed_bytes: unnamedBytes,
});

/** People are shown so many of each list. */
const MOST_SHOWN = 20;

/** The answer for people, with what to do where something is wrong. */
export const verificationLines = (verification: Verification, now: number): readonly string[] => {
  const { projects, objects, bytes, rows, problems, problemCount, unnamed, unnamedCount, unnamedBytes } = verification;
  const read = rows === null ? "" : `, ${rows} rows read`;
  const checked = `${counted(projects, "project")}, ${counted(objects, "object")} of ${megabytes(bytes)}${read}`;
  return [
    ...(problemCount === 0 ? [`Every object that the table names is there and intact: ${checked}.`] : [`${checked}.`, ""]),
    ...problems.slice(0, MOST_SHOWN).map(({ key, says }) => `${key} ${says}.`),
    ...more(problemCount, problems.length),
    ...(problemCount === 0 ? [] : ["", `${counted(problemCount, "problem")}: infra/guide.md says what to do (what verify finds).`]),
    ...(unnamedCount === 0
      ? []
      : [
          "",
          `${counted(unnamedCount, "object")} of ${megabytes(unnamedBytes)} that nothing names; the weekly audit deletes them:`,
          "",
          ...columns(
            ["age", "bytes", "object"],
            unnamed.slice(0, MOST_SHOWN).map(({ key, bytes: size, modified }) => [age(now - modified), String(size), key]),
          ),
          ...more(unnamedCount, unnamed.length),
        ]),
  ];
};

const more = (all: number, told: number): readonly string[] => {
  const shown = Math.min(told, MOST_SHOWN);
  return all > shown ? [`… and ${all - shown} more (--json tells up to ${told}).`] : [];
};

const HOURS_A_DAY = 24;

const age = (ms: number): string => {
  const hours = Math.floor(ms / HOUR_MS);
  return hours < 2 * HOURS_A_DAY ? `${hours} h` : `${Math.floor(hours / HOURS_A_DAY)} days`;
};

const BYTES_A_MEGABYTE = 1_000_000;

const megabytes = (bytes: number): string => `${(bytes / BYTES_A_MEGABYTE).toFixed(1)} MB`;

const counted = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
