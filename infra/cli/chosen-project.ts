import type { Table } from "../../lib/ports/table.ts";
import { type Project, Projects } from "../../lib/projects/projects.ts";
import * as store from "../../lib/table/store.ts";
import { UserError } from "../local/user-error.ts";

/** The project that `--project` names. Throws a `UserError` where it names none, and where that is removed: nothing more is taken for it. */
export const chosenProject = async (table: Table, flag: string | undefined): Promise<Project> => {
  const project = await projectEvenRemoved(table, flag);
  if (project.state === "removed") throw new UserError(`Project ${project.id} is removed.`);
  return project;
};

/** The same of a project of which something is told after its end. `example` is what names one. */
export const projectEvenRemoved = async (table: Table, flag: string | undefined, example = "--project 1"): Promise<Project> => {
  const id = /^[1-9]\d*$/.test(flag ?? "") ? Number(flag) : Number.NaN;
  if (!Number.isSafeInteger(id)) throw new UserError(`Give the project's id: ${example}`);
  const project = await store.get(table, Projects, { id }, { consistent: true });
  if (project === undefined) throw new UserError(`There is no project ${id}.`);
  return project;
};
