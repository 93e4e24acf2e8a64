import type { Table } from "../../lib/ports/table.ts";
import { type Project, Projects } from "../../lib/projects/projects.ts";
import * as store from "../../lib/table/store.ts";
import { UserError } from "../local/user-error.ts";

/** The project that `--project` names, or whatever `example` shows. Throws a `UserError` where it names none. */
export const chosenProject = async (table: Table, flag: string | undefined, example = "--project 1"): Promise<Project> => {
  const id = Number(flag);
  if (!Number.isSafeInteger(id) || id < 1) throw new UserError(`Give the project's id: ${example}`);
  const project = await store.get(table, Projects, { id }, { consistent: true });
  if (project === undefined) throw new UserError(`There is no project ${id}.`);
  return project;
};
