import type { World } from "../../../lib/app/world.ts";
import { publishedKeys } from "../../../lib/iceberg/published-keys.ts";
import { policyOf } from "../../../lib/lake/policy.ts";
import { compareStored, type Problem, type Verified, verifyLake, verifyRows } from "../../../lib/lake/verify.ts";
import type { Project } from "../../../lib/projects/projects.ts";
import { everyOrganization } from "./every-organization.ts";
import { foldersOfOrganization, foldersOfProject, type NamedFolder } from "./named-folders.ts";

/** What came of holding the store to the table. */
export interface Verification {
  readonly projects: number;
  readonly objects: number;
  readonly bytes: number;
  /** Rows that were read; null where none was to be. */
  readonly rows: number | null;
  readonly problems: readonly ProblemOf[];
  readonly problemCount: number;
  readonly unnamed: Verified["unnamed"];
  readonly unnamedCount: number;
  readonly unnamedBytes: number;
}

interface ProblemOf extends Problem {
  /** Null for what is an organization's. */
  readonly project: number | null;
}

/** Of each list so many are told; all are counted. */
const MOST_TOLD = 1_000;

export interface VerifyOptions {
  /** This one alone; all of them, and what is the organizations' own, where it is left out. */
  readonly project?: Project;
  /** Reads the rows, too. */
  readonly isDeep: boolean;
  readonly onProgress: (text: string) => void;
}

/** Holds what lies in the store to what the table names, one project after the other. Changes nothing. */
export const verify = async (world: World, { project: only, isDeep, onProgress }: VerifyOptions): Promise<Verification> => {
  const tally = openTally();
  const policy = policyOf(world.config);
  const folderBefore = world.clock.now() - policy.orphanAgeMs;
  const checkFolder = async ({ prefix, names }: NamedFolder, project: number | null): Promise<void> =>
    tally.add(await compareStored(world.objects, [{ prefix, before: folderBefore }], await names(), names), project);
  const checkProject = async ({ id, organization_id: organization }: Project): Promise<void> => {
    const inProject = (text: string) => onProgress(`project ${id}: ${text}`);
    const stored = await verifyLake(
      world,
      policy,
      id,
      () => publishedKeys(world, id),
      (objects) => inProject(`${objects} objects`),
    );
    if (stored === undefined) return;
    tally.add(stored, id);
    for (const folder of foldersOfProject(world.table, id)) await checkFolder(folder, id);
    if (isDeep) {
      const parts = { table: world.table, objects: world.objects, clock: world.clock, rowFiles: world.engine.rowFiles };
      tally.addRows(await verifyRows(parts, { organization, project: id }, (rows) => inProject(`${rows} rows read`)), id);
    }
    tally.endProject();
  };
  if (only !== undefined) await checkProject(only);
  else
    for await (const { id, projects } of everyOrganization(world.table)) {
      for (const project of projects) if (project.state === "active") await checkProject(project);
      for (const folder of await foldersOfOrganization(world.table, id)) await checkFolder(folder, null);
    }
  return tally.total(isDeep);
};

/** Adds up, and keeps of each list only what is told. */
const openTally = () => {
  const problems: ProblemOf[] = [];
  let unnamed: Verified["unnamed"] = [];
  const counts = { projects: 0, objects: 0, bytes: 0, rows: 0, problemCount: 0, unnamedCount: 0, unnamedBytes: 0 };
  const addProblems = (found: readonly Problem[], project: number | null): void => {
    counts.problemCount += found.length;
    problems.push(...found.slice(0, MOST_TOLD - problems.length).map((problem) => ({ project, ...problem })));
  };
  return {
    add(verified: Verified, project: number | null): void {
      counts.objects += verified.objects;
      counts.bytes += verified.bytes;
      counts.unnamedCount += verified.unnamed.length;
      counts.unnamedBytes += verified.unnamed.reduce((sum, { bytes }) => sum + bytes, 0);
      unnamed = [...unnamed, ...verified.unnamed].sort((left, right) => left.modified - right.modified).slice(0, MOST_TOLD);
      addProblems(verified.problems, project);
    },
    addRows({ rows, problems: found }: { readonly rows: number; readonly problems: readonly Problem[] }, project: number): void {
      counts.rows += rows;
      addProblems(found, project);
    },
    endProject(): void {
      counts.projects += 1;
    },
    total: (isDeep: boolean): Verification => ({ ...counts, rows: isDeep ? counts.rows : null, problems, unnamed }),
  };
};
